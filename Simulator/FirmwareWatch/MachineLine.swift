import Glibc
import HostSystem

/// The host's end of a line to the machine. Neither reading nor writing ever waits.
package struct MachineLine: ~Copyable {
    private enum Condition {
        case open
        /// The other end is closed, and nothing more comes.
        case ended
    }

    /// The most bytes that wait for a machine to read them, 1 MiB: a phone's whole list, many times over.
    static var mostUnsent: Int { 1 << 20 }
    /// The most bytes of one `hear`, 1 MiB: more than the system keeps of a line whose other end is closed.
    static var mostHeard: Int { 1 << 20 }

    private let descriptor: CInt
    private var condition = Condition.open
    /// Bytes that wait for the machine to read them.
    private(set) var unsent: [UInt8] = []

    /// Which way a line goes.
    package enum Direction {
        /// Both ways: a socket.
        case both
        /// From the machine: a pipe. Of single bytes it takes many times more than a socket, and a machine that writes more
        /// than it has room for waits with its clock, and does not see its port busy.
        case fromMachine
    }

    /// A line.
    ///
    /// - Parameters:
    ///   - direction: which way it goes.
    ///   - other: becomes the descriptor of its other end, which is the caller's to close.
    /// - Throws: `.systemCall` when there are no descriptors left.
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

    /// What to wait for; nil at the end.
    var interest: PolledDescriptor? {
        switch condition {
        case .open: PolledDescriptor(descriptor, unsent.isEmpty ? .readable : .readableOrWritable)
        case .ended: nil
        }
    }

    /// Whether the other end is closed, and everything that it said was read.
    var hasEnded: Bool {
        switch condition {
        case .open: false
        case .ended: true
        }
    }

    /// Sends `bytes` behind what waits already. A machine that reads nothing loses them, once 1 MiB waits.
    package mutating func send(_ bytes: [UInt8]) {
        if unsent.count + bytes.count <= MachineLine.mostUnsent { unsent += bytes }
        flush()
    }

    /// Sends what waits, as far as there is room.
    mutating func flush() {
        while !unsent.isEmpty {
            // A machine that has ended is found out by reading.
            let count = Glibc.send(descriptor, unsent, unsent.count, CInt(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }

    /// Reads what is there, up to 1 MiB: a machine that never stops leaves the host time for everything else.
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
