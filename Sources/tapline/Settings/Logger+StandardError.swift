import Glibc
import Logging

extension Logger {
    /// A logger of a host, which writes to the standard error.
    init(standardErrorOf label: String, _ level: Logger.Level) {
        self.init(label: label) { label in
            var handler = StreamLogHandler(label: label, stream: LogOutput(STDERR_FILENO))
            handler.logLevel = level
            return handler
        }
    }
}
