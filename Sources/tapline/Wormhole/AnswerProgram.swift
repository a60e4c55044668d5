import Foundation
import HostSystem
import SystemPackage
import WatchLink
import Wormhole

/// A program that answers questions: it gets each as JSON on its standard input, and prints the answer.
struct AnswerProgram: Sendable {
    /// Why a question has no answer.
    enum Fault: Error, Equatable, CustomStringConvertible {
        case notStarted(String)
        case failed(status: CInt)
        case killed(signal: CInt)
        case tooSlow(DurationChoice)
        /// Nobody waits for the answer any more.
        case cancelled
        case tooLong(limit: Int)
        case notJSON(String)

        var description: String {
            switch self {
            case .notStarted(let reason): "cannot be started: \(reason)"
            case .failed(let status): "ended with status \(status)"
            case .killed(let signal): "was ended by signal \(signal)"
            case .cancelled: "was ended, because this command is"
            case .tooSlow(let limit): "gave no answer within \(limit), and was ended"
            case .tooLong(let limit): "printed more than \(limit) bytes, and was ended"
            case .notJSON(let reason): "printed no answer: \(reason)"
            }
        }
    }

    /// The most bytes that it may print: what a message holds.
    static let longestAnswer = 64 << 10

    /// The program, which PATH finds where it is no path, and its arguments.
    let words: [String]
    let limit: DurationChoice

    /// Looks whether there is such a program, before anybody asks.
    ///
    /// - Throws: `.wrongUse`, which says what to do.
    func check() throws {
        let name = words[0]
        do throws(ProgramSearch.Fault) {
            try ProgramSearch.check(name, in: ProcessInfo.processInfo.environment["PATH"])
        } catch {
            throw WormholeFailure.wrongUse(AnswerProgram.advice(error, on: name))
        }
    }

    private static func advice(_ fault: ProgramSearch.Fault, on name: String) -> String {
        switch fault {
        case .missing: "\(name): there is no such program: name another one, or put it there first"
        case .notExecutable: "\(name) is no program: make it executable (chmod +x), or name another one"
        case .notInPath: "no program '\(name)' is in PATH: install it, or name it by its path"
        }
    }

    /// Runs the program for one question.
    func answer(_ question: JSONText) async -> Result<JSONText, Fault> {
        let end: EventDescriptor
        do throws(HostSystemError) { end = try EventDescriptor() } catch {
            return .failure(.notStarted(error.reason.description))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(HostSystemError) {
                    // A thread of its own, because it waits.
                    _ = try SystemThread { continuation.resume(returning: run(question, until: end)) }
                } catch {
                    continuation.resume(returning: .failure(.notStarted(error.reason.description)))
                }
            }
        } onCancel: {
            end.signal()
        }
    }

    private func run(_ question: JSONText, until end: EventDescriptor) -> Result<JSONText, Fault> {
        let printed: [UInt8]
        do throws(Fault) { printed = try output(for: question, until: end) } catch { return .failure(error) }
        let text = String(decoding: printed, as: UTF8.self)
        do throws(WormholeError) { return .success(try JSONText(text: text.isEmpty ? "null" : text)) } catch {
            return .failure(.notJSON(error.description))
        }
    }

    private func output(for question: JSONText, until end: EventDescriptor) throws(Fault) -> [UInt8] {
        let input = try AnswerProgram.file(of: question)
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
        let printed = try read(reading.number ?? -1, until: end)
        switch process.awaitEnd() {
        case .exited(status: 0): return printed
        case .exited(let status): throw .failed(status: status)
        case .killed(let signal): throw .killed(signal: signal)
        }
    }

    /// Reads until the program has closed its output. A program that is too slow, or prints too much, ends with the value of
    /// its process, which the caller drops.
    private func read(_ descriptor: CInt, until end: EventDescriptor) throws(Fault) -> [UInt8] {
        let clock = SystemClock()
        let deadline = clock.now + limit.microseconds
        var printed: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let now = clock.now
            guard now < deadline else { throw .tooSlow(limit) }
            var waits = [descriptor, end.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, 2, CInt(clamping: (deadline - now).count / 1_000 + 1)) > 0 else { continue }
            guard waits[1].revents == 0 else { throw .cancelled }
            let count = Glibc.read(descriptor, &part, part.count)
            guard count > 0 else { return printed }
            guard printed.count + count <= AnswerProgram.longestAnswer else {
                throw .tooLong(limit: AnswerProgram.longestAnswer)
            }
            printed += part[..<count]
        }
    }

    /// A file without a name with the question, so that a program which does not read it holds up nobody.
    private static func file(of question: JSONText) throws(Fault) -> CInt {
        var path = Array("/tmp/tapline-question-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .notStarted("its question cannot be written: \(Errno(rawValue: errno))") }
        unlink(path)
        Descriptors.closeOnExec(descriptor)
        let bytes = Array("\(question.text)\n".utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
            close(descriptor)
            throw .notStarted("its question cannot be written: \(Errno(rawValue: errno))")
        }
        return descriptor
    }
}
