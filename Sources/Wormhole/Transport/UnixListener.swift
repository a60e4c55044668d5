import Glibc
import HostSystem
import Synchronization

/// Serves an AF_UNIX SOCK_SEQPACKET socket in a directory of its own user.
public final class UnixListener: TransportListener {
    /// The usual limit for one datagram over AF_UNIX: 16,400 bytes. The system carries more; this limits the memory that a
    /// peer can make this process use.
    public static let usualLargestDatagram = SocketTransport.largestUnixDatagram

    /// The connections that wait for `accept()`; further ones fail at once, as where nobody listens.
    static let mostWaiting: CInt = 128

    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int
    private let socket: ListeningSocket
    /// Held until `close()`.
    private let lock: Mutex<ServiceLock?>

    /// Serves the socket `name` in `directory`. A socket that a crash left behind is replaced.
    ///
    /// - Parameters:
    ///   - user: the user whose processes may connect.
    ///   - largestDatagram: the most bytes of one datagram on each channel.
    /// - Throws: `.alreadyServed` with the number of the process that does; `.pathTooLong`; `.system`.
    public init(
        _ name: String, in directory: SocketDirectory, user: UInt32 = geteuid(),
        largestDatagram: Int = UnixListener.usualLargestDatagram
    ) throws(WormholeError) {
        let path = directory.path(of: name)
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
        let address = try UnixAddress(path: path)
        let lock = try ServiceLock(forFileAt: path)
        guard SocketCalls.make("unlink", { unlink(path) }) == 0 || errno == ENOENT else {
            throw SocketCalls.failure("unlink", path)
        }
        let descriptor = try SocketCalls.system { () throws(HostSystemError) in
            try Descriptors.packetSocket(AF_UNIX)
        }
        let socket = ListeningSocket(owning: descriptor)
        guard SocketCalls.make("bind", { address.withSocketAddress { bind(descriptor, $0, $1) } }) == 0 else {
            throw SocketCalls.failure("bind", path)
        }
        guard SocketCalls.make("listen", { listen(descriptor, UnixListener.mostWaiting) }) == 0 else {
            throw SocketCalls.failure("listen", path)
        }
        // Only now: an object that is complete removes the socket of this name when it goes, and until here that may be
        // another program's.
        self.socket = socket
        self.lock = Mutex(lock)
    }

    /// Waits for the next peer of the expected user.
    ///
    /// - Throws: `.foreignPeer` for one of another user, whose channel is closed; `.closed`; `.system`, as when the
    ///   process has no descriptor left.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        while !Task.isCancelled {
            if let socket = try socket.acceptWaiting() {
                try socket.demandPeer(ofUser: expectedUser)
                return SocketTransport(socket, from: try socket.peerProcess(), largestDatagram: largestDatagram)
            }
            try await socket.waitForConnection()
        }
        throw .closed
    }

    /// Stops listening, removes the socket and releases its lock.
    public func close() {
        // In this order, so that no socket of a successor is removed.
        socket.close { _ = unlink(path) }
        lock.withLock { $0 = nil }
    }

    deinit { close() }
}
