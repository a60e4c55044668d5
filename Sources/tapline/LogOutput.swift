import Glibc
import HostSystem
import Logging
import Synchronization

/// The log of a host. A line for which the reader leaves no room is left out, and the next one says how many were: a host that waited
/// for its reader would neither serve nor stop when asked to.
final class LogOutput: TextOutputStream, Sendable {
    /// The most bytes that a descriptor which has room for some takes without a wait: PIPE_BUF (pipe(7)).
    private static let piece = 4_096

    private let descriptor: CInt
    /// Lines that were left out since the last one that was written.
    private let leftOut = Mutex<UInt64>(0)

    /// A log at a descriptor, which stays open.
    init(_ descriptor: CInt) { self.descriptor = LogOutput.unhurried(descriptor) }

    /// Writes a line. One without room for all of it counts as left out.
    func write(_ line: String) {
        leftOut.withLock { count in
            let note = count > 0 ? "tapline: the log was not read, and lacks this many lines here: \(count)\n" : ""
            if put((note + line).utf8) { count = 0 } else { count += 1 }
        }
    }

    private func put(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard PolledDescriptor(descriptor, .writable).polled().isWritable else { return false }
            let piece = Array(rest.prefix(LogOutput.piece))
            let written = Glibc.write(descriptor, piece, piece.count)
            if written < 0, errno == EAGAIN || errno == EINTR { return false }
            // No reader is left to be told of any other error.
            guard written > 0 else { return true }
            rest = rest.dropFirst(written)
        }
        return true
    }

    /// A descriptor for the same pipe or terminal that never blocks in a write, or the same one if there is none. The mode
    /// of the given descriptor belongs to every program that has it: it is left alone. A file would be written from
    /// its beginning, and takes everything anyway.
    private static func unhurried(_ descriptor: CInt) -> CInt {
        var information = stat()
        guard fstat(descriptor, &information) == 0, [S_IFIFO, S_IFCHR].contains(information.st_mode & S_IFMT) else {
            return descriptor
        }
        do throws(HostSystemError) {
            return try Descriptors.open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            return descriptor
        }
    }
}

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
