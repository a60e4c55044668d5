import Foundation
import HostSystem
import SystemPackage
import WatchLink
import Wormhole

/// A program that the user chose. It reads bytes from its standard input, and prints other bytes.
struct FilterProgram: Sendable {
    enum Fault: Error, Equatable, CustomStringConvertible {
        case notStarted(String)
        case failed(status: CInt)
        case killed(signal: CInt)
        case tooSlow(DurationChoice)
        case cancelled
        case tooLong(limit: Int)

        var description: String {
            switch self {
            case .notStarted(let reason): "cannot be started: \(reason)"
            case .failed(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            case .cancelled: "was ended with this command"
            case .tooSlow(let limit): "gave no answer within \(limit), and was ended"
            case .tooLong(let limit): "printed more than \(limit) bytes, and was ended"
            }
        }
    }

    /// The program and its arguments. The program is a path, or a name to find in PATH.
    let words: [String]
    let limit: DurationChoice
    let mostBytes: Int

    func output(for input: [UInt8]) async -> Result<[UInt8], Fault> {
        let end: EventDescriptor
        do throws(HostSystemError) { end = try EventDescriptor() } catch {
            return .failure(.notStarted(error.reason.description))
        }
        return await withTaskCancellationHandler {
            await result(for: input, until: end)
        } onCancel: {
            end.signal()
        }
    }

    private func result(for input: [UInt8], until end: EventDescriptor) async -> Result<[UInt8], Fault> {
        do throws(HostSystemError) {
            return try await SystemThread.result {
                do throws(Fault) { return .success(try run(input, until: end)) } catch { return .failure(error) }
            }
        } catch {
            return .failure(.notStarted(error.reason.description))
        }
    }

    private func run(_ bytes: [UInt8], until end: EventDescriptor) throws(Fault) -> [UInt8] {
        let input = try FilterProgram.file(of: bytes)
        defer { close(input) }
        var process: ChildProcess
        let reading: OwnedDescriptor
        do throws(HostSystemError) {
            let (ours, theirs) = try Descriptors.pipe()
            reading = OwnedDescriptor(ours)
            defer { close(theirs) }
            process = try ChildProcess(words, group: .own, descriptors: [(input, 0), (theirs, 1)])
        } catch {
            throw .notStarted(error.reason.description)
        }
        let wait = Wait(limit, end: end.descriptor)
        let printed = try read(reading.number ?? -1, wait)
        // The program may close its output before it ends.
        while true {
            switch process.endIfOver() {
            case .exited(status: 0): return printed
            case .exited(let status): throw .failed(status: status)
            case .killed(let signal): throw .killed(signal: signal)
            case nil: _ = try wait.ready(-1, atMost: FilterProgram.pause)
            }
        }
    }

    /// How long to wait between two checks whether the program has ended. The checks begin when the program closes its
    /// output.
    private static let pause = Microseconds.milliseconds(10)

    /// Reads until the program closes its output. If this throws, the caller's `ChildProcess` is destroyed, which kills the
    /// program.
    private func read(_ descriptor: CInt, _ wait: Wait) throws(Fault) -> [UInt8] {
        var printed: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            guard try wait.ready(descriptor, atMost: .seconds(3_600)) else { continue }
            let count = Glibc.read(descriptor, &part, part.count)
            guard count > 0 else { return printed }
            guard printed.count + count <= mostBytes else { throw .tooLong(limit: mostBytes) }
            printed += part[..<count]
        }
    }

    private struct Wait {
        private let clock = SystemClock()
        private let limit: DurationChoice
        private let deadline: Instant
        private let end: CInt

        init(_ limit: DurationChoice, end: CInt) {
            self.limit = limit
            self.end = end
            deadline = clock.now + limit.microseconds
        }

        /// Waits at most `length` for the descriptor to be readable, and returns whether it is. If `descriptor` is -1,
        /// always returns false. Throws `.tooSlow` if the program's time limit is over, and `.cancelled` if the task that
        /// waits for the output is cancelled.
        func ready(_ descriptor: CInt, atMost length: Microseconds) throws(Fault) -> Bool {
            let now = clock.now
            guard now < deadline else { throw .tooSlow(limit) }
            var waits = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, 2, CInt(clamping: min(deadline - now, length).count / 1_000 + 1)) > 0 else {
                return false
            }
            guard waits[1].revents == 0 else { throw .cancelled }
            return true
        }
    }

    /// Writes the program's input to an unlinked temporary file, and returns the file's descriptor. A pipe could block this
    /// process if the program does not read its input.
    private static func file(of bytes: [UInt8]) throws(Fault) -> CInt {
        var path = Array("/tmp/tapline-input-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .notStarted("its input cannot be written: \(Errno(rawValue: errno))") }
        unlink(path)
        Descriptors.closeOnExec(descriptor)
        do {
            try FileDescriptor(rawValue: descriptor).writeAll(bytes)
            try FileDescriptor(rawValue: descriptor).seek(offset: 0, from: .start)
        } catch {
            close(descriptor)
            throw .notStarted("its input cannot be written: \(error)")
        }
        return descriptor
    }
}
