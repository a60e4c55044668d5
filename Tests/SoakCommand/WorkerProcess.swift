import Glibc
import HostSystem
import Soak

/// A worker as the one that asks it sees it. It is gone with this value.
struct WorkerProcess: ~Copyable {
    /// What has come of a question.
    enum Answer {
        case report(RangeReport)
        /// It has ended, or says nothing any more, and had begun this seed last.
        case lost(at: UInt64, because: String)
        /// It has begun no seed.
        case nothing
    }

    private let process: ChildProcess
    /// Its standard input and output. No other worker has them, or neither end would notice that this one is gone.
    private let requests: OwnedDescriptor
    private let answers: OwnedDescriptor
    private var unread: [UInt8]

    /// Starts a worker.
    ///
    /// - Parameter command: the path of its program, and its arguments.
    init(_ command: [String]) throws(WorkerError) {
        let (theirInput, ourOutput) = try WorkerProcess.pipe()
        defer { close(theirInput) }
        let requests = OwnedDescriptor(ourOutput)
        let (ourInput, theirOutput) = try WorkerProcess.pipe()
        defer { close(theirOutput) }
        let answers = OwnedDescriptor(ourInput)
        do throws(HostSystemError) {
            process = try ChildProcess(command, group: .shared, descriptors: [(theirInput, 0), (theirOutput, 1)])
        } catch {
            throw WorkerError("\(command[0]) cannot be started: \(error.reason)")
        }
        self.requests = requests
        self.answers = answers
        unread = []
    }

    private static func pipe() throws(WorkerError) -> (reading: CInt, writing: CInt) {
        do throws(HostSystemError) { return try Descriptors.pipe() } catch { throw WorkerError("\(error)") }
    }

    /// Has it run `range`.
    ///
    /// - Parameter patience: milliseconds that it may say nothing: far more than a seed takes.
    mutating func run(_ range: ClosedRange<UInt64>, patience: CInt = 120_000) -> Answer {
        var seed: UInt64?
        func lost(_ reason: String) -> Answer { seed.map { .lost(at: $0, because: reason) } ?? .nothing }
        let request = Array("\(SeedRange(range))\n".utf8)
        guard request.withUnsafeBytes({ write(requests.number ?? -1, $0.baseAddress, $0.count) }) == request.count
        else {
            return .nothing
        }
        while true {
            switch nextLine(patience) {
            case .line(let line):
                if let number = UInt64(line) {
                    seed = number
                } else if let report = (try? RangeReport.reports(in: line))?.first {
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

/// No worker runs.
struct WorkerError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
