import WatchLink

extension PeerLink {
    /// The store has something new for the peer. Returns when the session knows it; changes that come while the store is asked
    /// share the next answer.
    func outgoingChanged() async {
        guard case .peer(let peer) = peerState else { return }
        outgoing.changes += 1
        let change = outgoing.changes
        switch outgoing.lookUp {
        case .asking: await outgoing.known.waitEvenIfCancelled { $0 >= change }
        case .none:
            outgoing.lookUp = .asking
            await learnIssued(to: peer)
        }
    }

    /// A message was appended to the queue.
    func issued(_ message: IssuedMessage) {
        learn(IssuedPositions(epoch: message.epoch, queued: message.sequence, latest: 0))
    }

    /// This much was issued to the peer. A link that is not open yet asks the store when it is; in another epoch the messages have
    /// other numbers, which the link knows since its handshake.
    func learn(_ issued: IssuedPositions) {
        guard case .peer = peerState, issued.epoch == session.identity.epoch else { return }
        session.issued(queuedUpTo: issued.queued)
        session.issued(latestUpTo: issued.latest)
        wakeSender()
    }

    /// Asks the store what was issued, and once more for those who came meanwhile.
    private func learnIssued(to peer: PeerIdentity) async {
        let told = outgoing.changes
        do throws(WormholeError) {
            learn(try await store.issued(to: peer))
        } catch {
            finish(.store(error))
        }
        outgoing.known.change { $0 = told }
        if told < outgoing.changes {
            Task { await learnIssued(to: peer) }
        } else {
            outgoing.lookUp = .none
        }
    }

    /// Sends a frame of the session's own.
    func transmit(_ frame: ControlFrame) async throws(WormholeError) {
        let datagram = try PeerLink.datagram { writer throws(CBORError) in try frame.encode(into: &writer) }
        if await send(datagram) { session.sent(control: frame, at: clock.now) }
    }

    /// Sends the queued message of this sequence, or only its sequence where the message is larger than the peer accepts, or
    /// was taken back.
    func sendQueued(_ sequence: UInt32) async throws(WormholeError) {
        guard case .peer(let peer) = peerState else { return }
        guard let queued = try await takeQueued(sequence, to: peer) else {
            // It may have been acknowledged during the call of the store.
            guard session.positions.queuedAcknowledged < sequence, session.phase.isOpen else { return }
            throw .storage("the queue of \(peer) has no message \(sequence)")
        }
        guard let limit = session.largestBody else { return }
        let origin = queued.origin
        switch queued.content {
        case .message(let message, let charge) where message.bodySize <= limit:
            var header = MessageHeader(.queued, sequence: sequence)
            header.origin = origin
            // A peer that takes none of them gets it as any other.
            let told = session.peer?.limits.kinds.include(.complications) == true ? charge : .nothing
            let datagram = try PeerLink.datagram(header, message.name, message.payload, charge: told)
            guard await transmit(queued: header, datagram) else { return }
            await endpoint.sent(.queued, sequence, to: peer)
        case .message(let message, _):
            guard try await transmitWithdrawal(sequence, origin) else { return }
            let bytes = message.bodySize
            logger.warning(
                "message too large for the peer", metadata: ["name": "\(message.name)", "limit": "\(limit)"])
            try await store.noteTooLarge(sequence, to: peer, bytes: bytes, limit: limit)
            await endpoint.failed(.queued, sequence, to: peer, .tooLarge(bytes: bytes, limit: limit))
        case .withdrawn: _ = try await transmitWithdrawal(sequence, origin)
        }
    }

    /// The message of this sequence, which is read with those behind it; nil where it is not in the queue.
    private func takeQueued(_ sequence: UInt32, to peer: PeerIdentity) async throws(WormholeError) -> QueuedMessage? {
        while true {
            if let message = outgoing.take(sequence) { return message }
            let withdrawals = outgoing.withdrawals
            let messages = try await store.queue(to: peer, from: sequence, most: LinkOutgoing.mostAhead)
            if outgoing.read(messages, after: withdrawals), messages.isEmpty { return nil }
        }
    }

    /// A message was taken back.
    func withdrawn() { outgoing.withdraw() }

    /// Sends a sequence without its message. Returns whether the transport has taken it.
    private func transmitWithdrawal(_ sequence: UInt32, _ origin: UInt32?) async throws(WormholeError) -> Bool {
        var header = MessageHeader(.queued, sequence: sequence, hasValue: false)
        header.origin = origin
        return try await transmit(queued: header, PeerLink.datagram(header))
    }

    private func transmit(queued header: MessageHeader, _ datagram: [UInt8]) async -> Bool {
        guard await send(datagram) else { return false }
        session.sent(.queued, sequence: header.sequence, at: clock.now)
        return true
    }

    /// Sends the latest value that follows this revision. One that is larger than the peer accepts is skipped.
    func sendLatest(after revision: UInt32) async throws(WormholeError) {
        guard case .peer(let peer) = peerState else { return }
        let issued = session.positions.latestIssued
        guard let next = try await store.value(after: revision, for: peer), next.revision <= issued else {
            session.skipped(latestUpTo: issued)
            return
        }
        guard let limit = session.largestBody else { return }
        let datagram: [UInt8]
        if let payload = next.payload {
            let size = OutboundMessage(name: next.name, payload: payload).bodySize
            guard size <= limit else {
                logger.warning(
                    "value too large for the peer", metadata: ["name": "\(next.name)", "limit": "\(limit)"])
                session.skipped(latestUpTo: next.revision)
                await endpoint.failed(.latest, next.revision, to: peer, .tooLarge(bytes: size, limit: limit))
                return
            }
            datagram = try PeerLink.datagram(MessageHeader(.latest, sequence: next.revision), next.name, payload)
        } else {
            let header = MessageHeader(.latest, sequence: next.revision, hasValue: false)
            datagram = try PeerLink.datagram(header, next.name, [])
        }
        guard await send(datagram) else { return }
        session.sent(.latest, sequence: next.revision, at: clock.now)
        await endpoint.sent(.latest, next.revision, to: peer)
    }

    private static func datagram(
        _ header: MessageHeader, _ name: MessageName, _ payload: [UInt8], charge: MessageCharge = .nothing
    ) throws(WormholeError) -> [UInt8] {
        try datagram(size: header.encodedSize + name.encodedSize + payload.count) { writer throws(CBORError) in
            try header.encode(into: &writer, charge: charge)
            try writer.text(Array(name.text.utf8).span)
            try writer.raw(payload.span)
        }
    }

    private static func datagram(_ header: MessageHeader) throws(WormholeError) -> [UInt8] {
        try datagram { writer throws(CBORError) in try header.encode(into: &writer) }
    }

    /// A datagram of the bytes that `write` writes, at most `size`.
    static func datagram(
        size: Int = Int(LinkLimits.smallestSDU), _ write: (inout CBORWriter) throws(CBORError) -> Void
    ) throws(WormholeError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: size)
        do throws(CBORError) {
            var writer = CBORWriter(buffer.mutableSpan)
            try write(&writer)
            let count = writer.count
            buffer.removeSubrange(count...)
            return buffer
        } catch {
            throw .coding(.malformed("a frame could not be written: \(error)"))
        }
    }
}
