import Glibc
import HostSystem

/// The host's end of a line to the machine. Reading and writing never wait.
package struct MachineLine: ~Copyable {
    private enum Condition {
        case open
        /// The other end is closed.
        case ended
    }

    /// 1 MiB: a phone's whole list, many times over.
    static var mostUnsent: Int { 1 << 20 }
    /// 1 MiB for one `hear`: more than the system keeps of a line whose other end is closed.
    static var mostHeard: Int { 1 << 20 }

    private let descriptor: CInt
    private var condition = Condition.open
    private(set) var unsent: [UInt8] = []

    package enum Direction {
        case both
        /// From the machine: a pipe. It takes many times more single bytes than a socket. A machine without room would
        /// wait with its clock, and not see its port busy.
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

    /// Sends `bytes` after those that wait. If 1 MiB waits, they are lost.
    package mutating func send(_ bytes: [UInt8]) {
        if unsent.count + bytes.count <= MachineLine.mostUnsent { unsent += bytes }
        flush()
    }

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
