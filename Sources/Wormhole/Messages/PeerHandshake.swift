import WatchLink

/// What a peer has said in its hello, and what follows from it.
package struct PeerHandshake: Equatable, Sendable {
    package let hello: PeerHello
    /// The most bytes that a message to it may have, name included, over the present transport; see
    /// `OutboundMessage.bodySize`. A longer one can never be sent: its sequence goes out without a message.
    package let largestBody: Int
    /// Who the system says is at the other end of the transport that the hello came over.
    package let peer: TransportPeer

    package init(hello: PeerHello, largestBody: Int, from peer: TransportPeer = .unknown) {
        self.hello = hello
        self.largestBody = largestBody
        self.peer = peer
    }

    /// A handshake with a side in `role` over a transport that carries datagrams of up to that length.
    init(hello: PeerHello, with role: LinkRole, largestDatagram: Int, from peer: TransportPeer = .unknown) {
        let frame = min(largestDatagram, Int(hello.limits.largestSDU))
        let body = min(frame - MessageHeader.largestSize(from: role), Int(hello.limits.largestMessage))
        self.init(hello: hello, largestBody: body, from: peer)
    }
}

/// The positions from which the streams between this endpoint and a peer continue.
package struct PeerStreams: Equatable, Sendable {
    /// The epoch of the streams to the peer, never zero.
    package let epoch: UInt32
    package let positions: StreamPositions
    /// How many of the peer's messages were applied and are lost, because an older copy of the store was put back.
    package let lost: UInt32

    package init(epoch: UInt32, positions: StreamPositions, lost: UInt32 = 0) {
        self.epoch = epoch
        self.positions = positions
        self.lost = lost
    }
}
