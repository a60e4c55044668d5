import WatchLink

/// What is known of a peer once it has said hello.
public struct PeerHandshake: Equatable, Sendable {
    /// What it said.
    public let hello: PeerHello
    /// The most bytes that a message to it may have, name included, over the present transport; see
    /// `OutboundMessage.bodySize`. A longer one can never be sent: its sequence goes out with no message in it.
    public let largestBody: Int

    /// A meeting.
    public init(hello: PeerHello, largestBody: Int) {
        self.hello = hello
        self.largestBody = largestBody
    }

    /// A handshake over a transport that carries datagrams of up to that length.
    init(hello: PeerHello, largestDatagram: Int) {
        let frame = min(largestDatagram, Int(hello.limits.largestSDU))
        self.init(hello: hello, largestBody: min(frame - MessageHeader.size, Int(hello.limits.largestMessage)))
    }
}

/// Where the streams between this endpoint and a peer go on.
public struct PeerStreams: Equatable, Sendable {
    /// The epoch of the streams to the peer, never zero.
    public let epoch: UInt32
    /// How far the streams of both directions are.
    public let positions: StreamPositions

    /// Streams of an epoch.
    public init(epoch: UInt32, positions: StreamPositions) {
        self.epoch = epoch
        self.positions = positions
    }
}
