import Glibc
import HostSystem
import Logging
import Synchronization

/// A log that never blocks: a blocked host could neither serve watches nor stop. If the reader of the log is too slow, lines
/// are dropped. A note in the log then says how many lines are missing.
final class LogOutput: TextOutputStream, Sendable {
    /// The maximum size of one write, in bytes: PIPE_BUF (pipe(7)). If poll(2) reports that the descriptor is writable,
    /// this number of bytes fits.
    private static let piece = 4_096

    private let descriptor: CInt
    /// The number of missing lines since the last note, and what begins the next note: a line feed if only the beginning of
    /// the last line was written.
    private let dropped = Mutex<(lines: UInt64, separator: String)>((0, ""))

    /// Makes a log that writes to a descriptor. The log never closes the descriptor.
    init(_ descriptor: CInt) { self.descriptor = LogOutput.nonBlocking(descriptor) }

    /// Drops the line if there is no room for all of it. The beginning of a line longer than `piece` may still be written.
    func write(_ line: String) {
        dropped.withLock { dropped in
            let (lines, separator) = dropped
            let note =
                lines > 0 ? "\(separator)tapline: the log was not read in time; lines missing here: \(lines)\n" : ""
            let text = (note + line).utf8
            let written = put(text)
            if written >= note.utf8.count { dropped = (0, "") }
            guard written < text.count else { return }
            dropped.lines += 1
            if written > 0 { dropped.separator = "\n" }
        }
    }

    /// Returns the number of bytes that were written, or that a log without a reader has lost.
    private func put(_ bytes: String.UTF8View) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard PolledDescriptor(descriptor, .writable).polled().isWritable else { break }
            let piece = Array(rest.prefix(LogOutput.piece))
            let written = Glibc.write(descriptor, piece, piece.count)
            if written < 0, errno == EAGAIN || errno == EINTR { break }
            // After any other error, the log has no reader.
            guard written > 0 else { return bytes.count }
            rest = rest.dropFirst(written)
        }
        return bytes.count - rest.count
    }

    /// Opens a descriptor's pipe or terminal a second time, in non-blocking mode, and returns the new descriptor. The mode
    /// of the given descriptor stays unchanged, because other programs share it.
    ///
    /// If the given descriptor is a file, or if opening fails, returns the given descriptor. Writing to a file never blocks,
    /// and a new descriptor would overwrite the beginning of the file.
    private static func nonBlocking(_ descriptor: CInt) -> CInt {
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
    init(standardErrorOf label: String, _ level: Logger.Level) {
        self.init(label: label) { label in
            var handler = StreamLogHandler(label: label, stream: LogOutput(STDERR_FILENO))
            handler.logLevel = level
            return handler
        }
    }
}
