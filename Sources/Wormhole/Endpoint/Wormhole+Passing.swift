import WatchLink

extension Wormhole: Passing {
    /// Passes a message under a name; see `Passing`.
    @discardableResult
    public func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        var payload: [UInt8]?
        if let message { payload = try MessageEncoder().encode(message) }
        return try await pass(encoded: payload, under: name, delivery: delivery, to: recipients)
    }

    /// Passes a message that is encoded already: one CBOR data item; nil for a notification.
    package func pass(
        encoded payload: [UInt8]?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        guard delivery.isSupported else { throw .notSupportedYet(delivery) }
        guard !isClosed else { throw .closed }
        guard let payload else {
            await notify(name, recipients)
            return nil
        }
        try await prepare()
        let outbound = OutboundMessage(name: name, payload: payload)
        let peers = try await peers(of: recipients)
        for peer in peers {
            guard let limit = largestBodies[peer], outbound.bodySize > limit else { continue }
            throw .messageTooLarge(bytes: outbound.bodySize, limit: limit)
        }
        let handle: MessageHandle
        switch delivery {
        case .interactive: handle = try await interact(outbound, with: peers)
        case .queued: handle = try await queue(outbound, to: peers, paying: nil)
        case .complication: handle = try await queue(outbound, to: peers, paying: payment)
        case .latest, .file:
            let revision = try await store.replace(name, with: payload, for: recipients)
            var copies: [PeerIdentity: MessageCopy] = [:]
            for peer in peers { copies[peer] = deliveries.enterLatest(revision, name: name, to: peer) }
            handle = MessageHandle(delivery: .latest, copies: copies)
            await outgoingChanged(for: recipients)
        }
        heard.send(HeardMessage(name: name, origin: .own, delivery: delivery, payload: payload))
        return handle
    }

    /// Wakes the listeners of a name, on this side and on every peer that can be reached now. Nothing is kept.
    private func notify(_ name: MessageName, _ recipients: Recipients) async {
        heard.send(HeardMessage(notifying: name, from: .own))
        // In an order that does not depend on the machine.
        for (peer, link) in links.sorted(by: { $0.key < $1.key }) where recipients.include(peer) {
            await link.notify(name)
        }
    }

    /// Clears the value of a name on both sides.
    public func clear(_ name: MessageName) async throws(WormholeError) {
        guard !isClosed else { throw .closed }
        try await prepare()
        deliveries.cleared(name, at: try await store.replace(name, with: nil, for: .everyone))
        heard.send(HeardMessage(clearing: name, from: .own))
        await outgoingChanged()
    }

    /// Clears the value of every name on both sides.
    public func clearAll() async throws(WormholeError) {
        for name in try await store.namesWithValue() {
            do throws(WormholeError) { try await clear(name) } catch {
                // What the store's own program has passed stays.
                guard case .reservedName = error else { throw error }
            }
        }
    }

    private func peers(of recipients: Recipients) async throws(WormholeError) -> [PeerIdentity] {
        switch (recipients, configuration.role) {
        case (.only(let peer), _): [peer]
        case (.everyone, .watch): [.phone]
        case (.everyone, .phone): try await store.peers()
        }
    }

    private func queue(
        _ message: OutboundMessage, to peers: [PeerIdentity], paying payment: ComplicationPayment?
    ) async throws(WormholeError) -> MessageHandle {
        guard !peers.isEmpty else { throw .unknownPeer }
        var copies: [PeerIdentity: MessageCopy] = [:]
        var full: [PeerIdentity] = []
        for peer in peers {
            do throws(WormholeError) {
                let issued = try await store.append(message, to: peer, paying: payment)
                copies[peer] = deliveries.enterQueued(issued, name: message.name, to: peer)
                await links[peer]?.issued(issued)
            } catch {
                // One that has not come for long keeps nothing from the others.
                guard case .queueFull(let limit) = error, full.count + 1 < peers.count else { throw error }
                full.append(peer)
                copies[peer] = .failed(.queueFull(limit: limit))
            }
        }
        return MessageHandle(delivery: payment == nil ? .queued : .complication, copies: copies)
    }

    /// How many more complication messages may go to a peer today; what is beyond them is delivered by `.queued`.
    ///
    /// - Throws: `.storage`.
    public func complicationsLeft(for peer: PeerIdentity) async throws(WormholeError) -> Int {
        try await store.complicationBudget(of: peer).remaining(on: payment.day, of: payment.daily)
    }

    private var payment: ComplicationPayment {
        ComplicationPayment(day: configuration.localDay(), daily: configuration.complicationsADay)
    }

    /// Tells peers something that is not stored. Those that cannot be reached get nothing.
    ///
    /// - Throws: where none can be reached.
    private func interact(
        _ message: OutboundMessage, with peers: [PeerIdentity]
    ) async throws(WormholeError) -> MessageHandle {
        var copies: [PeerIdentity: MessageCopy] = [:]
        var failure = WormholeError.unknownPeer
        var reached: [PeerLink] = []
        for peer in peers {
            let copy = MessageCopy()
            copies[peer] = copy
            do throws(WormholeError) {
                let link = try await link(to: peer, .now)
                reached.append(link)
                let limit = configuration.answerTime
                Task { await Wormhole.interact(message, over: link, within: limit, copy) }
            } catch {
                copy.advance(to: .failed(.notAnswered(error)))
                failure = error
            }
        }
        guard !reached.isEmpty else { throw failure }
        return MessageHandle(delivery: .interactive, copies: copies)
    }

    private static func interact(
        _ message: OutboundMessage, over link: PeerLink, within limit: Microseconds, _ copy: MessageCopy
    ) async {
        do throws(WormholeError) {
            _ = try await link.ask(message, wish: .receipt, within: limit) { copy.advance(to: .sent) }
            copy.advance(to: .delivered)
            copy.advance(to: .applied)
        } catch {
            copy.advance(to: .failed(.notAnswered(error)))
        }
    }
}
