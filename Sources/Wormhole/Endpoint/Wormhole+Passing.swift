import WatchLink

extension Wormhole: Passing {
    /// Passes a message under a name; see `Passing`.
    @discardableResult
    public func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        guard let message else { return nil }
        guard delivery.isSupported else { throw .notSupportedYet(delivery) }
        guard !isClosed else { throw .closed }
        try await prepare()
        let payload = try MessageEncoder().encode(message)
        let outbound = OutboundMessage(name: name, payload: payload)
        let peers = try await peers(of: recipients)
        for peer in peers {
            guard let limit = largestBodies[peer], outbound.bodySize > limit else { continue }
            throw .messageTooLarge(bytes: outbound.bodySize, limit: limit)
        }
        let handle: MessageHandle
        switch delivery {
        case .queued: handle = try await queue(outbound, to: peers)
        case .latest, .interactive, .complication, .file:
            let revision = try await store.replace(name, with: payload, for: recipients)
            var copies: [PeerIdentity: MessageCopy] = [:]
            for peer in peers { copies[peer] = deliveries.enterLatest(revision, name: name, to: peer) }
            handle = MessageHandle(delivery: .latest, copies: copies)
        }
        heard.send(HeardMessage(name: name, origin: .own, delivery: delivery, payload: payload))
        await outgoingChanged(for: recipients)
        return handle
    }

    /// Clears the value of a name on both sides.
    public func clear(_ name: MessageName) async throws(WormholeError) {
        guard !isClosed else { throw .closed }
        try await prepare()
        deliveries.cleared(name, at: try await store.replace(name, with: nil, for: .everyone))
        await outgoingChanged()
    }

    /// Clears the value of every name on both sides.
    public func clearAll() async throws(WormholeError) {
        for name in try await store.namesWithValue() { try await clear(name) }
    }

    private func peers(of recipients: Recipients) async throws(WormholeError) -> [PeerIdentity] {
        switch (recipients, configuration.role) {
        case (.only(let peer), _): [peer]
        case (.everyone, .watch): [.phone]
        case (.everyone, .phone): try await store.peers()
        }
    }

    private func queue(
        _ message: OutboundMessage, to peers: [PeerIdentity]
    ) async throws(WormholeError) -> MessageHandle {
        guard !peers.isEmpty else { throw .unknownPeer }
        var copies: [PeerIdentity: MessageCopy] = [:]
        var full: [PeerIdentity] = []
        for peer in peers {
            do throws(WormholeError) {
                let sequence = try await store.append(message, to: peer)
                copies[peer] = deliveries.enterQueued(sequence, name: message.name, to: peer)
            } catch {
                // One that has not come for long keeps nothing from the others.
                guard case .queueFull(let limit) = error, full.count + 1 < peers.count else { throw error }
                full.append(peer)
                copies[peer] = .failed(.queueFull(limit: limit))
            }
        }
        return MessageHandle(delivery: .queued, copies: copies)
    }
}
