import Glibc
import HostSystem
import Synchronization

/// Where a host writes its log. A line for which the reader leaves no room is left out, and the next one says how many were:
/// a host that waited for its reader would serve nobody, and not stop when asked to.
final class LogOutput: TextOutputStream, Sendable {
    /// The most bytes that a descriptor which has room for some takes without a wait: PIPE_BUF (pipe(7)).
    private static let piece = 4_096

    private let descriptor: CInt
    /// Lines that were left out since the last one that was written.
    private let leftOut = Mutex<UInt64>(0)

    /// A log at a descriptor, which stays open.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Writes a line. One without room for all of it counts as left out.
    func write(_ line: String) {
        leftOut.withLock { count in
            let note = count > 0 ? "tapline: the log was not read, and lacks this many lines here: \(count)\n" : ""
            if put((note + line).utf8) { count = 0 } else { count += 1 }
        }
    }

    /// Whether there was room for all.
    private func put(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard hasRoom else { return false }
            let piece = Array(rest.prefix(LogOutput.piece))
            let written = Glibc.write(descriptor, piece, piece.count)
            // Nobody is there to be told of an error.
            guard written > 0 else { return true }
            rest = rest.dropFirst(written)
        }
        return true
    }

    private var hasRoom: Bool { PolledDescriptor(descriptor, .writable).polled().isWritable }
}
