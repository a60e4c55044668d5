import Glibc

/// The host's end of a line to the machine, of which neither reading nor writing ever waits.
struct MachineLine: ~Copyable {
    private enum Condition {
        case open
        /// The other end is closed, and nothing more comes.
        case ended
    }

    private let descriptor: CInt
    private var condition = Condition.open
    private var unsent: [UInt8] = []

    /// Which way a line goes.
    enum Direction {
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
        var ends: [CInt] = [-1, -1]
        switch direction {
        case .both:
            guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw .systemCall("socketpair", errno: errno)
            }
        case .fromMachine:
            // Glibc's module has no pipe2(2).
            guard pipe(&ends) == 0 else { throw .systemCall("pipe", errno: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        descriptor = ends[0]
        other = ends[1]
    }

    deinit {
        close(descriptor)
    }

    /// What to wait for with poll(2).
    var interest: pollfd {
        switch condition {
        case .open: pollfd(fd: descriptor, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
        case .ended: pollfd(fd: -1, events: 0, revents: 0)
        }
    }

    /// Whether the other end is closed, and everything that it said was read.
    var hasEnded: Bool {
        switch condition {
        case .open: false
        case .ended: true
        }
    }

    /// Sends `bytes` behind what waits already.
    mutating func send(_ bytes: [UInt8]) {
        unsent += bytes
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

    /// Reads what is there.
    mutating func hear() -> [UInt8] {
        var heard: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while !hasEnded {
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
