import Glibc
import SystemPackage

/// What the C library's socket functions want in numbers and C types.
enum SocketCalls {
    /// Sequenced packets, closed in child processes, never blocking.
    static let type = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    /// A peer that has gone is an error here and not a signal to the process.
    static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    /// `MSG_TRUNC` makes `recv` return the whole length of a datagram that is longer than the buffer.
    static let receiveFlags = CInt(MSG_DONTWAIT) | CInt(MSG_TRUNC)

    /// The error of the C function that has just failed.
    static func failure(_ call: String, _ path: String? = nil) -> WormholeError {
        .system(call: call, path: path, Errno(rawValue: errno))
    }

    /// Sets `O_NONBLOCK`.
    static func makeNonBlocking(_ descriptor: CInt) throws(WormholeError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) >= 0 else { throw failure("fcntl") }
    }

    /// Whether the other end has closed, or the channel is gone.
    static func isHungUp(_ descriptor: CInt) -> Bool {
        // POLLRDHUP, which the C library shows to GNU sources only (poll(2)).
        let readHangUp: Int16 = 0x2000
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN) | readHangUp, revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        return entry.revents & (Int16(POLLHUP) | readHangUp) != 0
    }

    /// Whether there is room to send: of a socket that is connecting, whether it is connected by now.
    static func isWritable(_ descriptor: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLOUT) != 0
    }
}
