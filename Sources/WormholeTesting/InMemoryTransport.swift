import HostSystem
import WatchLink
import Wormhole

/// One end of a channel in memory. As with a socket, a sender waits while the channel is full. If one end closes, the datagrams
/// that it has sent still arrive.
public final class InMemoryTransport: DatagramTransport {
    /// The maximum size of a datagram, in bytes.
    public let largestDatagram: Int
    /// The identity that the test has given to the other end.
    public let peer: TransportPeer
    private let incoming: WaitableState<InMemoryLane>
    private let outgoing: WaitableState<InMemoryLane>

    private init(
        to peer: TransportPeer, largestDatagram: Int, incoming: WaitableState<InMemoryLane>,
        outgoing: WaitableState<InMemoryLane>
    ) {
        self.peer = peer
        self.largestDatagram = largestDatagram
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Creates both ends of one channel.
    ///
    /// - Parameters:
    ///   - largestDatagram: the maximum size of a datagram in bytes, at least `LinkLimits.smallestSDU`.
    ///   - capacity: the maximum number of datagrams that wait in each direction, at least 1. If a direction is full, `send`
    ///     waits.
    ///   - peers: how the first end sees the second, and how the second end sees the first.
    public static func pair(
        largestDatagram: Int = 512, capacity: Int = 16, peers: (TransportPeer, TransportPeer) = (.unknown, .unknown)
    ) -> (InMemoryTransport, InMemoryTransport) {
        precondition(
            largestDatagram >= LinkLimits.smallestSDU && capacity >= 1, "a channel carries the longest control frame")
        let there = WaitableState(InMemoryLane(capacity: capacity))
        let back = WaitableState(InMemoryLane(capacity: capacity))
        return (
            InMemoryTransport(to: peers.0, largestDatagram: largestDatagram, incoming: back, outgoing: there),
            InMemoryTransport(to: peers.1, largestDatagram: largestDatagram, incoming: there, outgoing: back)
        )
    }

    private func check(_ datagram: [UInt8]) throws(WormholeError) {
        guard datagram.count <= largestDatagram else {
            throw .datagramTooLong(bytes: datagram.count, limit: largestDatagram)
        }
    }

    /// Waits until the channel has room, and then sends one datagram.
    public func send(_ datagram: [UInt8]) async throws(WormholeError) {
        try check(datagram)
        let isDone: Void? = try await outgoing.wait { lane throws(WormholeError) in try lane.put(datagram) ? () : nil }
        if isDone == nil { throw .closed }
    }

    /// Sends one datagram if the channel has room. Otherwise returns false.
    public func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        try check(datagram)
        return try outgoing.change { lane throws(WormholeError) in try lane.put(datagram) }
    }

    /// Waits for the next datagram.
    public func receive() async throws(WormholeError) -> [UInt8] {
        let datagram: [UInt8]? = try await incoming.wait { lane throws(WormholeError) in try lane.takeFirst() }
        guard let datagram else { throw .closed }
        return datagram
    }

    /// Takes the next datagram; nil if none has arrived.
    public func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        try incoming.change { lane throws(WormholeError) in try lane.takeFirst() }
    }

    /// Closes both directions. This end receives nothing more. The other end still receives the datagrams that this end has
    /// sent.
    public func close() {
        outgoing.change { $0.finish() }
        incoming.change { $0.abandon() }
    }

    /// Makes the channel lose every datagram that is in transit or sent later. Neither end notices. This imitates a peer
    /// that dies without closing the channel.
    public func silence() {
        outgoing.change { $0.silence() }
        incoming.change { $0.silence() }
    }
}

/// One direction of a channel in memory.
private struct InMemoryLane: Sendable {
    private enum Phase {
        case open
        /// The lane accepts datagrams and drops them. Neither the sender nor the receiver notices.
        case silent
        /// The sender has closed. The receiver can still take the datagrams sent before.
        case finished
        /// The receiver has closed.
        case abandoned
        /// The receiver has closed while the lane was silent. The sender does not notice.
        case abandonedInSilence
    }

    private let capacity: Int
    private var phase = Phase.open
    private var datagrams: [[UInt8]] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a datagram. Returns false if there is no room.
    mutating func put(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        switch phase {
        case .open:
            guard datagrams.count < capacity else { return false }
            datagrams.append(datagram)
            return true
        case .silent, .abandonedInSilence: return true
        case .finished, .abandoned: throw .closed
        }
    }

    /// Takes the next datagram; nil if none has arrived.
    /// - Throws: `.closed` if the receiver has closed, or if the sender has closed and no datagram is left.
    mutating func takeFirst() throws(WormholeError) -> [UInt8]? {
        switch phase {
        case .abandoned, .abandonedInSilence: throw .closed
        case .finished where datagrams.isEmpty: throw .closed
        case .open, .silent, .finished: return datagrams.isEmpty ? nil : datagrams.removeFirst()
        }
    }

    /// Records that the sender has closed. The receiver of a silent lane does not notice.
    mutating func finish() {
        if case .open = phase { phase = .finished }
    }

    /// Records that the receiver has closed, and drops the waiting datagrams. The sender of a silent lane does not notice.
    mutating func abandon() {
        switch phase {
        case .open, .finished, .abandoned: phase = .abandoned
        case .silent, .abandonedInSilence: phase = .abandonedInSilence
        }
        datagrams = []
    }

    mutating func silence() {
        guard case .open = phase else { return }
        phase = .silent
        datagrams = []
    }
}
