import HostSystem
import Logging

/// A log in memory that a test reads.
public final class RecordedLog: Sendable {
    /// One logged message, with its level and metadata.
    public struct Line: Hashable, Sendable {
        /// The log level.
        public var level: Logger.Level
        /// The message, without metadata.
        public var message: String
        /// The metadata of the line and of its logger, as text.
        public var metadata: [String: String]
    }

    private let recorded = WaitableState<[Line]>([])

    /// Creates an empty log.
    public init() {}

    /// The lines so far.
    public var lines: [Line] { recorded.value }

    /// The messages so far.
    public var messages: [String] { lines.map(\.message) }

    /// Makes a logger that writes to this log. The logger drops messages below `level`.
    public func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    /// Waits until the log has a line for which `isWanted` is true. Returns at once if the log already has one.
    public func waitForLine(where isWanted: @Sendable (Line) -> Bool) async {
        _ = await recorded.wait { lines in lines.contains(where: isWanted) ? true : nil }
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        init(log: RecordedLog) { self.log = log }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            log.recorded.change {
                $0.append(
                    Line(
                        level: event.level, message: event.message.description,
                        metadata: all.mapValues { "\($0)" }))
            }
        }
    }
}
