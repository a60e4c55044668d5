import Glibc
import HostSystem
import Logging
import Synchronization

/// The log of a host. If the reader leaves no room, a line is dropped, and the next one says how many were. A host that waited
/// for its reader would neither serve nor stop when asked to.
final class LogOutput: TextOutputStream, Sendable {
    /// The most bytes that a writable descriptor takes without a wait: PIPE_BUF (pipe(7)).
    private static let piece = 4_096

    private let descriptor: CInt
    /// The number of lines dropped since the last written one.
    private let leftOut = Mutex<UInt64>(0)

    /// Writes the log to a descriptor, which stays open.
    init(_ descriptor: CInt) { self.descriptor = LogOutput.nonBlocking(descriptor) }

    /// Writes a line, or counts it as dropped if there is not enough room.
    func write(_ line: String) {
        leftOut.withLock { count in
            let note = count > 0 ? "tapline: the log was not read in time; lines missing here: \(count)\n" : ""
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
            // After any other error there is no reader to tell.
            guard written > 0 else { return true }
            rest = rest.dropFirst(written)
        }
        return true
    }

    /// Returns a descriptor for the same pipe or terminal that never blocks in a write, or the same one if there is none. The
    /// mode of the given descriptor belongs to every program that has it, so it stays. A file keeps its descriptor: a new one
    /// would write from the beginning, and a file never blocks.
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
    /// A host's logger, which writes to the standard error.
    init(standardErrorOf label: String, _ level: Logger.Level) {
        self.init(label: label) { label in
            var handler = StreamLogHandler(label: label, stream: LogOutput(STDERR_FILENO))
            handler.logLevel = level
            return handler
        }
    }
}
