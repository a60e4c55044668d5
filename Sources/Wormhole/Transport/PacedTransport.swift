import Synchronization
import WatchLink

/// The `ReconnectDelay` of a side that connects, which outlives its channels.
package final class SharedReconnectDelay: Sendable {
    private let delay: Mutex<ReconnectDelay>

    package init(_ delay: ReconnectDelay) {
        self.delay = Mutex(delay)
    }

    /// Call when a channel has ended or did not come up. Returns the time to wait before the next attempt.
    package func next() -> Microseconds { delay.withLock { $0.next() } }

    fileprivate func carried(_ datagram: [UInt8]) { delay.withLock { $0.carried(datagram.span) } }
}

/// A channel that tells the delay before the next one what it carries.
package struct PacedTransport: DatagramTransport {
    private let transport: any DatagramTransport
    private let delay: SharedReconnectDelay

    package init(_ transport: any DatagramTransport, _ delay: SharedReconnectDelay) {
        self.transport = transport
        self.delay = delay
    }

    package var peer: TransportPeer { transport.peer }

    package var largestDatagram: Int { transport.largestDatagram }

    nonisolated(nonsending) package func send(_ datagram: [UInt8]) async throws(WormholeError) {
        try await transport.send(datagram)
        delay.carried(datagram)
    }

    package func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        guard try transport.sendAtOnce(datagram) else { return false }
        delay.carried(datagram)
        return true
    }

    package var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) package func receive() async throws(WormholeError) -> [UInt8] {
        let datagram = try await transport.receive()
        delay.carried(datagram)
        return datagram
    }

    package func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        guard let datagram = try transport.receiveAtOnce() else { return nil }
        delay.carried(datagram)
        return datagram
    }

    package func close() { transport.close() }
}
