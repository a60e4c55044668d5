import Glibc

/// Connects to an AF_UNIX SOCK_SEQPACKET socket that a process of its own user serves.
public struct UnixConnector: TransportConnector {
    /// The path of the socket.
    public let path: String
    private let expectedUser: UInt32
    private let largestDatagram: Int

    /// A connector to the socket at `path`.
    ///
    /// - Parameters:
    ///   - user: the user whose process has to serve it.
    ///   - largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    public init(
        path: String, user: UInt32 = geteuid(), largestDatagram: Int = UnixListener.usualLargestDatagram
    ) {
        self.path = path
        expectedUser = user
        self.largestDatagram = largestDatagram
    }

    /// Connects, without waiting.
    ///
    /// - Throws: `.nobodyListening` where nobody serves the socket yet; `.foreignPeer` where another user does; `.pathTooLong`;
    ///   `.system`.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        let socket = try DatagramSocket.connect(toPath: path, ofUser: expectedUser)
        return SocketTransport(socket, from: try socket.peerProcess(), largestDatagram: largestDatagram)
    }
}
