import HostSystem
import Wormhole

/// A radio link in memory, for tests. One side listens, and any number of peers connect. A test can cut and restore the link.
public final class InMemoryLink: Sendable {
    private enum Phase {
        case clear
        case cut
        /// The listener is closed, and connections are refused.
        case closed
    }

    private struct Contents {
        var phase = Phase.clear
        var arrived: [InMemoryTransport] = []
        var channels: [(InMemoryTransport, InMemoryTransport)] = []
    }

    private let largestDatagram: Int
    private let capacity: Int
    private let contents = WaitableState(Contents())

    /// Creates a link without channels.
    ///
    /// - Parameters:
    ///   - largestDatagram: the maximum size of a datagram in bytes, at least `LinkLimits.smallestSDU`.
    ///   - capacity: the maximum number of datagrams that wait in each direction of a channel, at least 1. If a direction is
    ///     full, `send` waits.
    public init(largestDatagram: Int = 512, capacity: Int = 16) {
        self.largestDatagram = largestDatagram
        self.capacity = capacity
    }

    /// The listening side. If an earlier listener has closed the link, reading this property reopens the link.
    public var listener: any TransportListener {
        contents.change { contents in
            if case .closed = contents.phase { contents.phase = .clear }
        }
        return Listener(link: self)
    }

    /// The connecting side, for any number of peers. To the listening side, each of these peers is `.unknown`.
    public var connector: any TransportConnector { connector(of: .unknown) }

    /// The connecting side of a peer that the listening side can identify, such as a bonded device.
    public func connector(of peer: TransportPeer) -> any TransportConnector { Connector(link: self, peer: peer) }

    /// Closes every channel, and refuses new ones until `restore()`.
    public func cut() {
        let channels = contents.change { contents -> [(InMemoryTransport, InMemoryTransport)] in
            if case .clear = contents.phase { contents.phase = .cut }
            contents.arrived = []
            defer { contents.channels = [] }
            return contents.channels
        }
        for (near, far) in channels {
            near.close()
            far.close()
        }
    }

    /// Lets peers connect again after `cut()`. Does nothing if the listener has closed the link.
    public func restore() {
        contents.change { contents in
            if case .cut = contents.phase { contents.phase = .clear }
        }
    }

    /// Silences the channels that are open now: datagrams that are in transit or sent later are lost. Neither end of a channel
    /// notices.
    public func silence() {
        for (near, _) in contents.value.channels { near.silence() }
    }

    private func open(by peer: TransportPeer) throws(WormholeError) -> InMemoryTransport {
        let (near, far) = InMemoryTransport.pair(
            largestDatagram: largestDatagram, capacity: capacity, peers: (.unknown, peer))
        let isOpen = contents.change { contents in
            guard case .clear = contents.phase else { return false }
            contents.arrived.append(far)
            contents.channels.append((near, far))
            return true
        }
        guard isOpen else { throw .noListener(path: "memory") }
        return near
    }

    private func accept() async throws(WormholeError) -> InMemoryTransport {
        let arrived: InMemoryTransport? = try await contents.wait { contents throws(WormholeError) in
            if case .closed = contents.phase { throw .closed }
            return contents.arrived.isEmpty ? nil : contents.arrived.removeFirst()
        }
        guard let arrived else { throw .closed }
        return arrived
    }

    private struct Listener: TransportListener {
        let link: InMemoryLink

        func accept() async throws(WormholeError) -> any DatagramTransport { try await link.accept() }
        func close() { link.contents.change { contents in contents.phase = .closed } }
    }

    private struct Connector: TransportConnector {
        let link: InMemoryLink
        let peer: TransportPeer
        func connect() async throws(WormholeError) -> any DatagramTransport { try link.open(by: peer) }
    }
}
