import WatchLink

/// A `DatagramTransport` over a socket: AF_UNIX, and L2CAP once its socket is connected.
package struct SocketTransport: DatagramTransport {
    /// The most bytes of one datagram over AF_UNIX. The system carries more; this limits the memory that a peer can use.
    package static let largestUnixDatagram = 4_096

    package let peer: TransportPeer
    private let socket: DatagramSocket
    package let largestDatagram: Int
    private let largestArriving: Int

    /// Makes a connected socket a transport.
    ///
    /// - Parameters:
    ///   - peer: who is at the other end, where somebody vouches for it.
    ///   - largestDatagram: the most bytes of one datagram to send, at least `LinkLimits.smallestSDU`.
    ///   - largestArriving: the most bytes of one to receive, where that differs.
    package init(
        _ socket: DatagramSocket, from peer: TransportPeer = .unknown,
        largestDatagram: Int = SocketTransport.largestUnixDatagram, largestArriving: Int? = nil
    ) {
        let arriving = largestArriving ?? largestDatagram
        precondition(
            min(largestDatagram, arriving) >= LinkLimits.smallestSDU, "a channel carries the longest control frame")
        self.peer = peer
        self.socket = socket
        self.largestDatagram = largestDatagram
        self.largestArriving = arriving
    }

    package func send(_ datagram: [UInt8]) async throws(WormholeError) {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
        while try socket.send(datagram.span) == .busy { try await wait(.writable) }
    }

    package func receive() async throws(WormholeError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: largestArriving)
        while true {
            var bytes = buffer.mutableSpan
            switch try socket.receive(into: &bytes) {
            case .datagram(let count):
                buffer.removeSubrange(count...)
                return buffer
            case .truncated(let count): throw .datagramTooLong(bytes: count, limit: largestArriving)
            case .closed: throw .closed
            case .nothing: try await wait(.readable)
            }
        }
    }

    /// Closes the socket; calls that wait for it throw `.closed`.
    package func close() { socket.close() }

    private func wait(_ readiness: SocketReadiness) async throws(WormholeError) {
        guard !Task.isCancelled else { throw .closed }
        try await socket.wait(until: readiness)
    }
}
