import HostSystem
import WatchLink
import Wormhole

/// One end of a channel in memory. The other end receives what this end sends.
///
/// It behaves as a socket does. It holds a limited number of datagrams, and the sender waits for room. After one end closes, the
/// other end still receives the datagrams sent before.
public final class InMemoryTransport: DatagramTransport {
    /// The most bytes of one datagram.
    public let largestDatagram: Int
    /// The peer at the other end, as the test sets it.
    public let peer: TransportPeer
    private let incoming: InMemoryLane
    private let outgoing: InMemoryLane

    private init(to peer: TransportPeer, largestDatagram: Int, incoming: InMemoryLane, outgoing: InMemoryLane) {
        self.peer = peer
        self.largestDatagram = largestDatagram
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Creates both ends of one channel.
    ///
    /// - Parameters:
    ///   - largestDatagram: the most bytes of one datagram, at least `LinkLimits.smallestSDU`.
    ///   - capacity: the number of datagrams that each direction holds before its sender waits, at least 1.
    ///   - peers: the peer that the first end reports, and the one that the second end reports.
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

    /// Sends one datagram, and waits for room.
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

    /// The next datagram; nil if none has arrived.
    public func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        try incoming.takeAtOnce()
    }

    /// Closes both directions. This end receives nothing more; the other end still receives the datagrams sent before.
    public func close() {
        outgoing.finish()
        incoming.abandon()
    }

    /// Drops everything that either end sends from now on. Neither end notices. A peer that dies without closing behaves like
    /// this.
    public func silence() {
        outgoing.silence()
        incoming.silence()
    }
}

/// One direction of a channel in memory.
private final class InMemoryLane: Sendable {
    private enum Phase {
        case open
        /// Accepts and drops datagrams. The receiver does not notice.
        case silent
        /// The sender has closed. The receiver can still take the datagrams sent before.
        case finished
        /// The receiver has closed.
        case abandoned
        /// The receiver has closed while the lane was silent. The sender does not notice.
        case abandonedInSilence
    }

    private struct Contents {
        var phase = Phase.open
        var datagrams: [[UInt8]] = []

        /// Adds a datagram; false if there is no room.
        mutating func put(_ datagram: [UInt8], _ capacity: Int) throws(WormholeError) -> Bool {
            switch phase {
            case .open:
                guard datagrams.count < capacity else { return false }
                datagrams.append(datagram)
                return true
            case .silent, .abandonedInSilence: return true
            case .finished, .abandoned: throw .closed
            }
        }

        /// - Throws: `.closed` if no datagram can arrive any more.
        mutating func takeFirst() throws(WormholeError) -> [UInt8]? {
            switch phase {
            case .abandoned, .abandonedInSilence: throw .closed
            case .finished where datagrams.isEmpty: throw .closed
            case .open, .silent, .finished: return datagrams.isEmpty ? nil : datagrams.removeFirst()
            }
        }
    }

    private let capacity: Int
    private let contents = WaitableState(Contents())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a datagram, and waits for room.
    ///
    /// - Throws: `.closed` if either side has closed or the task is cancelled.
    func put(_ datagram: [UInt8]) async throws(WormholeError) {
        let isDone: Void? = try await contents.wait { [capacity] contents throws(WormholeError) in
            try contents.put(datagram, capacity) ? () : nil
        }
        if isDone == nil { throw .closed }
    }

    /// Adds a datagram if there is room; false if there is none.
    ///
    /// - Throws: `.closed` if either side has closed.
    func putAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        try contents.change { contents throws(WormholeError) in try contents.put(datagram, capacity) }
    }

    /// Waits for the next datagram.
    ///
    /// - Throws: `.closed` if this side has closed, if the sender has closed and no datagram is left, or if the task is
    ///   cancelled.
    func take() async throws(WormholeError) -> [UInt8] {
        let datagram: [UInt8]? = try await contents.wait { contents throws(WormholeError) in
            try contents.takeFirst()
        }
        guard let datagram else { throw .closed }
        return datagram
    }

    /// The next datagram; nil if none has arrived.
    ///
    /// - Throws: the errors of `take`.
    func takeAtOnce() throws(WormholeError) -> [UInt8]? {
        try contents.change { contents throws(WormholeError) in try contents.takeFirst() }
    }

    /// Closes the sender's side. If the lane is silent (it drops all datagrams), the receiver does not notice.
    func finish() {
        contents.change { contents in
            if case .open = contents.phase { contents.phase = .finished }
        }
    }

    /// Closes the receiver's side. If the lane is silent (it drops all datagrams), the sender does not notice.
    func abandon() {
        contents.change { contents in
            switch contents.phase {
            case .open, .finished, .abandoned: contents.phase = .abandoned
            case .silent, .abandonedInSilence: contents.phase = .abandonedInSilence
            }
            contents.datagrams = []
        }
    }

    func silence() {
        contents.change { contents in
            guard case .open = contents.phase else { return }
            contents.phase = .silent
            contents.datagrams = []
        }
    }
}
