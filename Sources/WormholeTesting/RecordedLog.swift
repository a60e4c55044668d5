import HostSystem
import Logging

/// A log that a test reads: every line as a handler gets it.
public final class RecordedLog: Sendable {
    /// A line.
    public struct Line: Hashable, Sendable {
        /// How important it is.
        public var level: Logger.Level
        /// The message, without metadata.
        public var message: String
        /// The values of the metadata as text, those of the logger included.
        public var metadata: [String: String]
    }

    private let recorded = WaitableState<[Line]>([])

    /// A log without lines.
    public init() {}

    /// The lines so far.
    public var lines: [Line] { recorded.value }

    /// The messages so far.
    public var messages: [String] { lines.map(\.message) }

    /// A logger that writes to it.
    public func logger(_ level: Logger.Level = .trace) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = level
        return logger
    }

    /// Returns when there is a line for which `isWanted` holds.
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
