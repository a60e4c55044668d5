import WatchLink
import Wormhole

/// One end of a channel in memory: what one end sends, the other receives.
///
/// It behaves as a socket does: it holds a bounded number of datagrams and makes the sender wait for room, and after a
/// close the other end still receives what was sent before.
public final class InMemoryTransport: DatagramTransport {
    /// The most bytes of one datagram.
    public let largestDatagram: Int
    /// Who is at the other end, as the test says.
    public let peer: TransportPeer
    private let incoming: InMemoryLane
    private let outgoing: InMemoryLane

    private init(to peer: TransportPeer, largestDatagram: Int, incoming: InMemoryLane, outgoing: InMemoryLane) {
        self.peer = peer
        self.largestDatagram = largestDatagram
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Two ends of one channel.
    ///
    /// - Parameters:
    ///   - largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    ///   - capacity: how many datagrams a direction holds before its sender waits, at least 1.
    ///   - peers: who is at the other end of the first, and of the second.
    public static func pair(
        largestDatagram: Int = 512, capacity: Int = 16, peers: (TransportPeer, TransportPeer) = (.unknown, .unknown)
    ) -> (InMemoryTransport, InMemoryTransport) {
        precondition(
            largestDatagram >= LinkLimits.smallestSDU && capacity >= 1, "a channel carries the longest control frame")
        let there = InMemoryLane(capacity: capacity)
        let back = InMemoryLane(capacity: capacity)
        return (
            InMemoryTransport(to: peers.0, largestDatagram: largestDatagram, incoming: back, outgoing: there),
            InMemoryTransport(to: peers.1, largestDatagram: largestDatagram, incoming: there, outgoing: back)
        )
    }

    /// Sends one datagram, waiting for room.
    public func send(_ datagram: [UInt8]) async throws(WormholeError) {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
        try await outgoing.put(datagram)
    }

    /// Sends one datagram if there is room.
    public func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
        return try outgoing.putAtOnce(datagram)
    }

    /// Waits for the next datagram.
    public func receive() async throws(WormholeError) -> [UInt8] {
        try await incoming.take()
    }

    /// The next datagram, if one has arrived.
    public func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        try incoming.takeAtOnce()
    }

    /// Closes both directions: this end receives nothing more, the other what was sent before.
    public func close() {
        outgoing.finish()
        incoming.abandon()
    }

    /// From now on what either end sends is lost, and neither end notices: the link to a peer that has died without
    /// closing.
    public func silence() {
        outgoing.silence()
        incoming.silence()
    }
}
