import Logging
import WatchLink

extension Wormhole: Asking {
    /// Asks a peer something; see `Asking`.
    nonisolated(nonsending) public func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity,
        within limit: Microseconds, reaching reach: Reach
    ) async throws(WormholeError) -> Answer {
        let value = try await ask(
            encoded: try MessageEncoder().encode(message), under: name, of: peer, within: limit, reaching: reach)
        return try MessageDecoder().decode(type, from: value)
    }

    /// Asks with a message that is encoded already: one CBOR data item, and so is the answer.
    nonisolated(nonsending) package func ask(
        encoded payload: [UInt8], under name: MessageName, of peer: PeerIdentity, within limit: Microseconds,
        reaching reach: Reach
    ) async throws(WormholeError) -> [UInt8] {
        try await askedLink(to: peer, reach).ask(
            OutboundMessage(name: name, payload: payload), wish: .value, within: limit)
    }

    /// Tells a peer something; see `Asking`.
    nonisolated(nonsending) public func tell<Message: Passable>(
        _ message: Message, under name: MessageName, to peer: PeerIdentity, within limit: Microseconds,
        reaching reach: Reach
    ) async throws(WormholeError) {
        let outbound = OutboundMessage(name: name, payload: try MessageEncoder().encode(message))
        _ = try await askedLink(to: peer, reach).ask(outbound, wish: .receipt, within: limit)
    }

    /// Answers everything that peers ask under a name; see `Asking`.
    public nonisolated func answer<Message: Passable, Answer: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Answer
    ) throws(WormholeError) -> AnswerRegistration {
        // A closure here would begin on another thread.
        @Sendable nonisolated(nonsending) func answerer(_ payload: [UInt8], _ peer: PeerIdentity) async -> AnswerOutcome
        {
            let message: Message
            do throws(WormholeError) {
                message = try MessageDecoder().decode(type, from: payload)
            } catch {
                logger.warning(
                    "message of another type", metadata: ["name": "\(name)", "error": "\(error)", "type": "\(type)"])
                return .failure(.malformed)
            }
            do {
                return .value(try MessageEncoder().encode(try await body(message, peer)))
            } catch {
                if !Task.isCancelled {
                    logger.warning("no answer", metadata: ["name": "\(name)", "error": "\(error)"])
                }
                return .failure(.failed)
            }
        }
        return try answerers.register(name, answerer)
    }

    /// The link to a peer as `link(to:)` returns it, without a switch to this actor where there is one.
    nonisolated(nonsending) private func askedLink(
        to peer: PeerIdentity, _ reach: Reach
    ) async throws(WormholeError) -> PeerLink {
        switch reach {
        case .now:
            // One that ends at this moment says so when it is asked.
            if board.reachability(of: peer).isReachable, let link = currentLinks.withLock({ $0[peer] }) { return link }
            return try await link(to: peer, reach)
        case .within: return try await link(to: peer, reach)
        }
    }

    /// Answers everything that peers ask under a name, as it is encoded: one CBOR data item, as the answer is.
    nonisolated func answer(
        encoded name: MessageName, with body: @escaping Answerers.Answerer
    ) throws(WormholeError) -> AnswerRegistration {
        @Sendable nonisolated(nonsending) func answerer(_ payload: [UInt8], _ peer: PeerIdentity) async -> AnswerOutcome
        {
            guard (try? CBORValue(decoding: payload)) != nil else { return .failure(.malformed) }
            return await body(payload, peer)
        }
        return try answerers.register(name, answerer)
    }

    /// The link to a peer, once that can be reached.
    ///
    /// - Throws: `.unreachable`, `.cancelled`, `.closed`.
    func link(to peer: PeerIdentity, _ reach: Reach) async throws(WormholeError) -> PeerLink {
        guard !isClosed else { throw .closed }
        if let link = await openLink(to: peer) { return link }
        if case .within(let limit) = reach {
            try await wait(for: peer, limit)
            if let link = await openLink(to: peer) { return link }
        }
        guard !isClosed else { throw .closed }
        switch board.reachability(of: peer) {
        case .unreachable(let evidence): throw .unreachable(evidence.reason.description)
        case .reachable: throw .unreachable(UnreachableReason.connectionLost.description)
        }
    }

    private func openLink(to peer: PeerIdentity) async -> PeerLink? {
        guard board.reachability(of: peer).isReachable, let link = links[peer], await link.isOpen else { return nil }
        return link
    }

    /// Waits until a peer is reachable, or the time is over.
    private func wait(for peer: PeerIdentity, _ limit: Microseconds) async throws(WormholeError) {
        let changes = reachabilityChanges()
        let deadline = clock.now + limit
        let clock = clock
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes where change.peer == peer && change.reachability.isReachable { return }
            }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { throw .cancelled }
    }
}
