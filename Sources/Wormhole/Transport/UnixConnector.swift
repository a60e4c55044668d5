/// Connects to an AF_UNIX SOCK_SEQPACKET socket.
public struct UnixConnector: TransportConnector {
    /// The path of the socket.
    public let path: String
    private let largestDatagram: Int

    /// A connector to the socket at `path`.
    ///
    /// - Parameter largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    public init(path: String, largestDatagram: Int = UnixListener.usualLargestDatagram) {
        self.path = path
        self.largestDatagram = largestDatagram
    }

    /// Connects, without waiting.
    ///
    /// - Throws: `.nobodyListening` where nobody serves the socket yet; `.pathTooLong`; `.system`.
    public func connect() async throws(WormholeError) -> any DatagramTransport {
        let socket = try DatagramSocket.connect(toPath: path)
        return SocketTransport(socket, from: try socket.peerProcess(), largestDatagram: largestDatagram)
    }
}
