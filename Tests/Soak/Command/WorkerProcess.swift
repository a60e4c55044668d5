import Glibc
import HostSystem

/// A worker process. It ends with this value.
struct WorkerProcess: ~Copyable {
    enum Answer {
        case report(RangeReport)
        /// It has ended or is silent. This seed was the last one that it began.
        case lost(at: UInt64, because: String)
        case nothing
    }

    private let process: ChildProcess
    /// The read end of its standard output.
    private let answers: OwnedDescriptor
    private var unread: [UInt8]

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - command: the path of its program, and its arguments before the range.
    ///   - range: the seeds that it runs.
    init(_ command: [String], _ range: ClosedRange<UInt64>) throws(WorkerError) {
        let (reading, writing) = try WorkerProcess.pipe()
        defer { close(writing) }
        let answers = OwnedDescriptor(reading)
        do throws(HostSystemError) {
            process = try ChildProcess(command + ["\(SeedRange(range))"], group: .shared, descriptors: [(writing, 1)])
        } catch {
            throw WorkerError("\(command[0]) cannot be started: \(error.reason)")
        }
        self.answers = answers
        unread = []
    }

    private static func pipe() throws(WorkerError) -> (reading: CInt, writing: CInt) {
        do throws(HostSystemError) { return try Descriptors.pipe() } catch { throw WorkerError("\(error)") }
    }

    /// Waits for its report.
    ///
    /// - Parameter patience: milliseconds that it may say nothing: far more than a seed takes.
    mutating func answer(patience: CInt = 120_000) -> Answer {
        var seed: UInt64?
        func lost(_ reason: String) -> Answer { seed.map { .lost(at: $0, because: reason) } ?? .nothing }
        while true {
            switch nextLine(patience) {
            case .line(let line):
                if let number = UInt64(line) {
                    seed = number
                } else if let report = RangeReport(json: line) {
                    return .report(report)
                } else {
                    return lost("the program said something else than its report")
                }
            case .silence: return lost("the seed did not end in \(patience / 1_000) s")
            case .end: return lost("the program ended by itself")
            }
        }
    }

    private enum Heard {
        case line(String)
        case silence
        case end
    }

    private mutating func nextLine(_ patience: CInt) -> Heard {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return .line(String(decoding: unread[..<end], as: UTF8.self))
            }
            guard let descriptor = answers.number else { return .end }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, patience)
            if ready == 0 { return .silence }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = ready < 0 ? -1 : read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            unread += buffer[..<count]
        }
    }
}

struct WorkerError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
