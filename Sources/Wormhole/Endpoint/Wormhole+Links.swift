import WatchLink

// What the channels tell the endpoint.
extension Wormhole {
    /// A channel has found out whose it is. An older one of the same peer is closed, and is over when this returns:
    /// what it was applying is applied, so the store can say where to go on.
    func claim(_ peer: PeerIdentity, for link: PeerLink) async {
        while let older = links[peer], older !== link {
            await older.close(.replaced)
            await older.waitForEnd()
            if links[peer] === older { links[peer] = nil }
        }
        links[peer] = link
    }

    /// Messages flow between this side and a peer.
    func opened(
        _ peer: PeerIdentity, _ meeting: PeerHandshake, positions: StreamPositions, before: IssuedPositions,
        at now: WatchLink.Instant
    ) {
        largestBodies[peer] = meeting.largestBody
        let shift = before.queued - min(before.queued, positions.queuedIssued)
        ledger.resumed(peer, positions, shift: shift)
        board.note(peer, saying: meeting.hello, at: now)
        logger.info("peer reachable", metadata: ["peer": "\(peer)"])
    }

    /// The streams to a peer have a new epoch.
    func renumbered(_ peer: PeerIdentity, to streams: PeerStreams, before: IssuedPositions) {
        let shift = before.queued - min(before.queued, streams.positions.queuedIssued)
        ledger.resumed(peer, streams.positions, shift: shift)
    }

    /// The transport has taken a message.
    func sent(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity) {
        ledger.sent(delivery, number, to: peer)
    }

    /// A peer says what it has applied.
    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) {
        ledger.acknowledged(acknowledgement, by: peer)
    }

    /// A queued message can never be sent.
    func failed(queued sequence: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        ledger.failed(queued: sequence, to: peer, failure)
    }

    /// A latest value can never be sent.
    func failed(latest revision: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        ledger.failed(latest: revision, to: peer, failure)
    }
}
