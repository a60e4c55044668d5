import WatchLink
import Wormhole

/// A channel that somebody is told the kinds of frames of.
struct NotedTransport: DatagramTransport {
    /// What has passed.
    enum Frame {
        case sent(FrameKind)
        case received(FrameKind)

        var kind: FrameKind {
            switch self {
            case .sent(let kind), .received(let kind): kind
            }
        }
    }

    private let transport: any DatagramTransport
    private let note: @Sendable (Frame) -> Void

    /// - Parameter note: is called once for each datagram that is not empty, if it was sent or received.
    init(_ transport: any DatagramTransport, note: @escaping @Sendable (Frame) -> Void) {
        self.transport = transport
        self.note = note
    }

    var peer: TransportPeer { transport.peer }

    var largestDatagram: Int { transport.largestDatagram }

    var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError) {
        try await transport.send(datagram)
        if let kind = datagram.first { note(.sent(FrameKind(rawValue: kind))) }
    }

    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool {
        guard try transport.sendAtOnce(datagram) else { return false }
        if let kind = datagram.first { note(.sent(FrameKind(rawValue: kind))) }
        return true
    }

    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8] {
        let datagram = try await transport.receive()
        if let kind = datagram.first { note(.received(FrameKind(rawValue: kind))) }
        return datagram
    }

    func receiveAtOnce() throws(WormholeError) -> [UInt8]? {
        let datagram = try transport.receiveAtOnce()
        if let kind = datagram?.first { note(.received(FrameKind(rawValue: kind))) }
        return datagram
    }

    func close() { transport.close() }
}
