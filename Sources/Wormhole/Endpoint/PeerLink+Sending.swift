import WatchLink

extension PeerLink {
    /// Sends a frame of the session's own.
    func transmit(_ frame: ControlFrame) async throws(WormholeError) {
        let datagram = try PeerLink.datagram { writer throws(CBORError) in try frame.encode(into: &writer) }
        if await send(datagram) { session.sent(control: frame, at: clock.now) }
    }

    /// Sends the queued message of this sequence, or only its sequence where the message is larger than the peer accepts.
    func sendQueued(_ sequence: UInt32) async throws(WormholeError) {
        guard case .peer(let peer) = peerState else { return }
        guard let message = try await store.queued(sequence, to: peer) else {
            // It may have been acknowledged during the call of the store.
            guard session.positions.queuedAcknowledged < sequence, session.phase.isOpen else { return }
            throw .storage("the queue of \(peer) has no message \(sequence)")
        }
        guard let limit = session.largestBody else { return }
        let isTooLarge = message.bodySize > limit
        var header = MessageHeader(.queued, sequence: sequence, flags: isTooLarge ? .noValue : .none)
        header.origin = try await store.origin(of: sequence, to: peer)
        let datagram =
            isTooLarge
            ? try PeerLink.datagram(header) : try PeerLink.datagram(header, message.name, message.payload)
        guard await send(datagram) else { return }
        session.sent(.queued, sequence: sequence, at: clock.now)
        if isTooLarge {
            logger.warning(
                "message too large for the peer", metadata: ["name": "\(message.name)", "limit": "\(limit)"])
            await endpoint.failed(.queued, sequence, to: peer, .tooLarge(bytes: message.bodySize, limit: limit))
        } else {
            await endpoint.sent(.queued, sequence, to: peer)
        }
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
            let header = MessageHeader(.latest, sequence: next.revision, flags: .noValue)
            datagram = try PeerLink.datagram(header, next.name, [])
        }
        guard await send(datagram) else { return }
        session.sent(.latest, sequence: next.revision, at: clock.now)
        await endpoint.sent(.latest, next.revision, to: peer)
    }

    private static func datagram(
        _ header: MessageHeader, _ name: MessageName, _ payload: [UInt8]
    ) throws(WormholeError) -> [UInt8] {
        try datagram(size: header.encodedSize + name.encodedSize + payload.count) { writer throws(CBORError) in
            try header.encode(into: &writer)
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
