import Logging
import Synchronization

final class ProgramLog: Sendable {
    private struct Contents {
        var lines: [String] = []
        /// The number of the current run. Lines of earlier runs are dropped, because a killed program may still log.
        var run = 0
    }

    private let contents = Mutex(Contents())

    var lines: [String] { contents.withLock { $0.lines } }

    func begin() -> Int {
        contents.withLock { contents in
            contents.run += 1
            return contents.run
        }
    }

    func end(_ run: Int) {
        contents.withLock { if $0.run == run { $0.run += 1 } }
    }

    fileprivate func enter(_ line: String, of run: Int) {
        contents.withLock { if $0.run == run { $0.lines.append(line) } }
    }

    func logger(of run: Int) -> Logger {
        Logger(label: "soak") { _ in ProgramLogHandler(log: self, run: run) }
    }
}

private struct ProgramLogHandler: LogHandler {
    let log: ProgramLog
    let run: Int
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.enter("\(event.level): \(event.message)", of: run)
    }
}
