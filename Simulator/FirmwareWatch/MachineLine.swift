import Glibc
import HostSystem

/// The simulator's end of a serial line to the emulator. Reads and writes never block.
package struct MachineLine: ~Copyable {
    private enum Condition {
        case open
        /// The other end of the line is closed.
        case ended
    }

    /// The most bytes that wait to be sent: 1 MiB, many times a phone's whole list.
    static var mostUnsent: Int { 1 << 20 }
    /// The most bytes that one `hear` returns: 1 MiB. That is more than the kernel buffers for a line whose other end is
    /// closed.
    static var mostHeard: Int { 1 << 20 }

    private let descriptor: CInt
    private var condition = Condition.open
    private(set) var unsent: [UInt8] = []

    package enum Direction {
        case both
        /// From the emulator: a pipe, which buffers many more single bytes than a socket. With a full buffer, the emulator's
        /// clock would stop, and the firmware would not see a busy port.
        case fromMachine
    }

    /// - Parameter other: receives the descriptor of the other end, which the caller must close.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
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

    /// Queues `bytes` and sends what it can. Drops them if the queue would exceed 1 MiB.
    package mutating func send(_ bytes: [UInt8]) {
        if unsent.count + bytes.count <= MachineLine.mostUnsent { unsent += bytes }
        flush()
    }

    mutating func flush() {
        while !unsent.isEmpty {
            // If the emulator has ended, the next read reports it.
            let count = Glibc.send(descriptor, unsent, unsent.count, CInt(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            unsent.removeFirst(count)
        }
    }

    /// Reads the available bytes, at most 1 MiB, so that an emulator that never stops leaves the simulator time for other work.
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
