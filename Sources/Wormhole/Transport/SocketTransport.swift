import HostSystem
import WatchLink

/// A `DatagramTransport` over a socket: AF_UNIX, and L2CAP once its socket is connected.
package struct SocketTransport: DatagramTransport {
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
        largestDatagram: Int = UnixListener.usualLargestDatagram, largestArriving: Int? = nil
    ) {
        let arriving = largestArriving ?? largestDatagram
        precondition(
            min(largestDatagram, arriving) >= LinkLimits.smallestSDU, "a channel carries the longest control frame")
        self.peer = peer
        self.socket = socket
        self.largestDatagram = largestDatagram
        self.largestArriving = arriving
    }

    package var arrivals: (any TaskExecutor)? { SocketPoller.shared }

    nonisolated(nonsending) package func send(_ datagram: [UInt8]) async throws(WormholeError) {
        while try !sendAtOnce(datagram) { try await wait(.writable) }
    }

    package func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
        switch try socket.send(datagram.span) {
        case .sent: return true
        case .busy: return false
        }
    }

    nonisolated(nonsending) package func receive() async throws(WormholeError) -> [UInt8] {
        var look = DatagramSocket.Look.first
        while true {
            if let datagram = try next(look) { return datagram }
            try await wait(.readable)
            look = .afterWait
        }
    }

    package func receiveAtOnce() throws(WormholeError) -> [UInt8]? { try next(.first) }

    /// The next datagram; nil where none is waiting.
    private func next(_ look: DatagramSocket.Look) throws(WormholeError) -> [UInt8]? {
        // Most datagrams are far shorter than the longest, so only what has arrived becomes an array.
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: largestArriving) {
            bytes throws(WormholeError) in
            switch try socket.receive(into: bytes, look) {
            // The system has written so many.
            case .datagram(let count): return Array(bytes[..<count])
            case .truncated(let count): throw .datagramTooLong(bytes: count, limit: largestArriving)
            case .closed: throw .closed
            case .nothing: return nil
            }
        }
    }

    /// Whether the peer has closed, or this side.
    var isHungUp: Bool { socket.isHungUp }

    /// Closes the socket; calls that wait for it throw `.closed`.
    package func close() { socket.close() }

    nonisolated(nonsending) private func wait(_ interest: PolledDescriptor.Interest) async throws(WormholeError) {
        guard !Task.isCancelled else { throw .closed }
        try await socket.wait(until: interest)
    }
}
