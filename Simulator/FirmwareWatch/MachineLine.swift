import Glibc
import HostSystem

/// The host's end of a line to the machine. Reads and writes never block.
package struct MachineLine: ~Copyable {
    private enum Condition {
        case open
        /// The other end is closed.
        case ended
    }

    /// 1 MiB: many times a phone's whole list.
    static var mostUnsent: Int { 1 << 20 }
    /// 1 MiB for one `hear`: more than the system keeps of a line whose other end is closed.
    static var mostHeard: Int { 1 << 20 }

    private let descriptor: CInt
    private var condition = Condition.open
    private(set) var unsent: [UInt8] = []

    package enum Direction {
        case both
        /// From the machine: a pipe, which has room for many more single bytes than a socket. Without room the machine's clock
        /// would stop, and the machine would not see its port as busy.
        case fromMachine
    }

    /// - Parameter other: becomes the descriptor of the other end, which the caller closes.
    /// - Throws: `.systemCall` if there are no descriptors left.
    init(_ direction: Direction, other: inout CInt) throws(FirmwareError) {
        let ends: (CInt, CInt)
        do throws(HostSystemError) {
            ends =
                switch direction {
                case .both: try Descriptors.socketPair(SOCK_STREAM)
                case .fromMachine: try Descriptors.pipe()
                }
        } catch {
            throw FirmwareError(error)
        }
        try? Descriptors.setNonBlocking(ends.0)
        descriptor = ends.0
        other = ends.1
    }

    deinit {
        close(descriptor)
    }

    var interest: PolledDescriptor? {
        switch condition {
        case .open: PolledDescriptor(descriptor, unsent.isEmpty ? .readable : .readableOrWritable)
        case .ended: nil
        }
    }

    var hasEnded: Bool {
        switch condition {
        case .open: false
        case .ended: true
        }
    }

    /// Sends `bytes` after those that wait. Drops them if 1 MiB waits.
    package mutating func send(_ bytes: [UInt8]) {
        if unsent.count + bytes.count <= MachineLine.mostUnsent { unsent += bytes }
        flush()
    }

    mutating func flush() {
        while !unsent.isEmpty {
            // A read finds out that the machine has ended.
            let count = Glibc.send(descriptor, unsent, unsent.count, CInt(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }

    /// Reads the available bytes, up to 1 MiB. So a machine that never stops leaves the host time for other work.
    mutating func hear() -> [UInt8] {
        var heard: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while !hasEnded, heard.count <= MachineLine.mostHeard - bytes.count {
            let count = read(descriptor, &bytes, bytes.count)
            if count > 0 {
                heard += bytes.prefix(count)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                break
            } else {
                condition = .ended
            }
        }
        return heard
    }
}
