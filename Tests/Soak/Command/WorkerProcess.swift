import Foundation
import GRDBSQLite
import Glibc
import HostSystem

/// A worker process. It is killed when this value is released.
struct WorkerProcess: ~Copyable {
    enum Answer {
        case report(RangeReport)
        /// The worker has ended, is silent, or printed something unexpected. The last seed that it began is `at`.
        case lost(at: UInt64, because: String)
        case nothing
    }

    private let process: ChildProcess
    private let answers: OwnedDescriptor
    private var unread: [UInt8]

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

    /// Waits for the worker's report. The worker is lost if it prints nothing for `patience` milliseconds. A seed takes
    /// far less.
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

enum SoakWorker {
    static func run(_ range: SeedRange) {
        WorkerThread.begin()
        let report = RangeReport(running: range.seeds) { say("\($0)") }
        say(report.json)
    }

    /// Writes a line to the parent process. If the parent no longer reads, ends this process.
    private static func say(_ line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            exit(1)
        }
    }
}

/// Settings for a process that runs seeds on one thread and does nothing else.
enum WorkerThread {
    /// The type of `int sqlite3_config(int, ...)` with two integer arguments. Swift imports no C function with `...`.
    /// The call works because integers are passed in the same registers with and without `...`.
    private typealias Configure = @convention(c) (CInt, CInt, CInt) -> CInt

    /// Configures SQLite for one thread: no mutexes, no memory statistics, and 100 lookaside slots of 1,200 bytes. Must
    /// run before the process opens its first database.
    static func begin() {
        guard let address = dlsym(nil, "sqlite3_config") else { return }
        // `Configure` is the type of this C function.
        let configure = unsafeBitCast(address, to: Configure.self)
        _ = configure(SQLITE_CONFIG_SINGLETHREAD, 0, 0)
        _ = configure(SQLITE_CONFIG_MEMSTATUS, 0, 0)
        _ = configure(SQLITE_CONFIG_LOOKASIDE, 1_200, 100)
    }
}
