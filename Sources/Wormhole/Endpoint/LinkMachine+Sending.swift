import WatchLink

extension LinkMachine {
    /// This much was issued to the peer. A link that is not open yet asks the store when it is; in another epoch the messages have
    /// other numbers, which the link knows since its handshake.
    func learn(_ issued: IssuedPositions) {
        guard case .peer = peerState, issued.epoch == session.identity.epoch else { return }
        session.issued(queuedUpTo: issued.queued)
        session.issued(latestUpTo: issued.latest)
        endpoint.touch(self)
    }

    /// A message of the queue was taken back: what is read and not sent is read again.
    func withdrawn() { ahead = [] }

    /// Sends the queued message of this sequence, or only its sequence if the message is larger than the peer accepts, or
    /// was taken back.
    func sendQueued(_ sequence: UInt32, at now: WatchLink.Instant) throws(WormholeError) {
        guard case .peer(let peer) = peerState, let limit = session.largestBody else { return }
        let queued = try takeQueued(sequence, to: peer)
        var header = MessageHeader(.queued, sequence: sequence)
        header.origin = queued.origin
        let datagram: [UInt8]
        let receipt: Receipt
        switch queued.content {
        case .message(let message, let charge) where message.bodySize <= limit:
            // A peer that takes no complication messages gets them as any other.
            let told = session.peer?.limits.kinds.include(.complications) == true ? charge : .nothing
            datagram = try LinkMachine.datagram(header, message.name, message.payload, charge: told)
            receipt = .sent(.queued, sequence)
        case .message(let message, _):
            logger.warning(
                "message too large for the peer", metadata: ["name": "\(message.name)", "limit": "\(limit)"])
            datagram = try LinkMachine.withdrawal(header)
            receipt = .nothing
            try store.noteTooLarge(sequence, to: peer, bytes: message.bodySize, limit: limit)
            failed(.queued, sequence, to: peer, bytes: message.bodySize, limit: limit)
        case .withdrawn:
            datagram = try LinkMachine.withdrawal(header)
            receipt = .nothing
        }
        session.sent(.queued, sequence: sequence, at: now)
        send(datagram, receipt)
    }

    /// The message of this sequence, which is read with those behind it.
    private func takeQueued(_ sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> QueuedMessage {
        if ahead.first?.sequence != sequence {
            ahead = try store.queue(to: peer, from: sequence, most: LinkMachine.mostAhead)[...]
        }
        guard let message = ahead.popFirst() else {
            throw .storage("the queue of \(peer) has no message \(sequence)")
        }
        return message
    }

    /// The most messages of the queue that are read at once: four windows.
    private static let mostAhead = 32

    /// A sequence without its message.
    private static func withdrawal(_ header: MessageHeader) throws(WormholeError) -> [UInt8] {
        var empty = MessageHeader(.queued, sequence: header.sequence, hasValue: false)
        empty.origin = header.origin
        return try datagram { writer throws(CBORError) in try empty.encode(into: &writer) }
    }

    /// Sends the latest value that follows this revision. One that is larger than the peer accepts is skipped.
    func sendLatest(after revision: UInt32, at now: WatchLink.Instant) throws(WormholeError) {
        guard case .peer(let peer) = peerState, let limit = session.largestBody else { return }
        let issued = session.positions.latestIssued
        guard let next = try store.value(after: revision, for: peer), next.revision <= issued else {
            return session.skipped(latestUpTo: issued)
        }
        let payload = next.payload ?? []
        let bytes = OutboundMessage(name: next.name, payload: payload).bodySize
        guard bytes <= limit else {
            logger.warning(
                "value too large for the peer", metadata: ["name": "\(next.name)", "limit": "\(limit)"])
            session.skipped(latestUpTo: next.revision)
            return failed(.latest, next.revision, to: peer, bytes: bytes, limit: limit)
        }
        let header = MessageHeader(.latest, sequence: next.revision, hasValue: next.payload != nil)
        let datagram = try LinkMachine.datagram(header, next.name, payload)
        session.sent(.latest, sequence: next.revision, at: now)
        send(datagram, .sent(.latest, next.revision))
    }

    private func failed(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int) {
        endpoint.after { [endpoint] in
            endpoint.deliveries.failed(delivery, number, to: peer, .tooLarge(bytes: bytes, limit: limit))
        }
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
