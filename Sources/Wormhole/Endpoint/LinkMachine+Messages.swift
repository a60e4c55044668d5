import WatchLink

// MARK: Receiving

extension LinkMachine {
    func receive(_ datagram: [UInt8], heldFor: Microseconds, at now: WatchLink.Instant) throws(WormholeError) {
        guard isRunning else { return }
        endpoint.touch(self)
        switch session.receive(datagram.span, at: now) {
        case .none, .duplicate: break
        case .interactive(let header): answer(header, in: datagram, arrived: now)
        case .reply(let header): replied(header, in: datagram)
        case .message(let header): try apply(header, datagram, heldFor: heldFor, at: now)
        case .file: try receiveFile(datagram)
        case .helloArrived(let hello): try greet(hello, at: now)
        case .opened(let hello): try greetPhone(hello)
        case .acknowledged(let acknowledgement):
            guard let peer else { return }
            try store.acknowledged(acknowledgement, by: peer)
            endpoint.after { [endpoint] in endpoint.deliveries.acknowledged(acknowledgement, by: peer) }
        case .closed(.historyLost): try renumber(helloIn: datagram)
        case .closed(let reason): logger.info("link closes", metadata: ["reason": "\(reason.words)"])
        }
    }

    private func greet(_ hello: PeerHello, at now: WatchLink.Instant) throws(WormholeError) {
        let peer = PeerIdentity(rawValue: hello.identity)
        guard peer != .phone, try store.admits(peer, from: visitor) else { return close(.refused) }
        endpoint.claim(peer, for: self)
        let (handshake, streams) = try resume(peer, hello)
        self.peer = peer
        logger[metadataKey: "peer"] = "\(peer)"
        let event = session.accept(
            streams.positions, epoch: streams.epoch, localTime: configuration.localTime() ?? 0, lost: streams.lost,
            at: now)
        guard case .opened = event else { return }
        try opened(peer, handshake, renumbered: streams.renumbered)
    }

    private func greetPhone(_ hello: PeerHello) throws(WormholeError) {
        endpoint.claim(.phone, for: self)
        let (handshake, streams) = try resume(.phone, hello)
        // The store renumbered only the messages that the session knew when the link opened. Later messages keep their numbers.
        session.issued(queuedUpTo: streams.positions.queuedIssued)
        peer = .phone
        try opened(.phone, handshake, renumbered: streams.renumbered)
    }

    private func resume(
        _ peer: PeerIdentity, _ hello: PeerHello
    ) throws(WormholeError) -> (PeerHandshake, PeerStreams) {
        let handshake = PeerHandshake(
            hello: hello, with: configuration.role, largestDatagram: largestDatagram, from: visitor)
        return (handshake, try store.resume(peer, handshake: handshake, newEpoch: configuration.drawEpoch()))
    }

    private func opened(
        _ peer: PeerIdentity, _ handshake: PeerHandshake, renumbered: [UInt32: UInt32]?
    ) throws(WormholeError) {
        let (positions, issued) = (session.positions, try store.issued(to: peer))
        endpoint.after { [self] in
            endpoint.deliveries.resumed(peer, positions, renumbered: renumbered)
            // The channel may have ended in the same turn.
            guard isRunning else { return }
            endpoint.isOpen(peer, handshake)
            learn(issued)
            filesChanged()
        }
    }

    /// On a watch, starts a new epoch, because the phone has applied messages that the watch's store has lost. On a phone,
    /// does nothing.
    private func renumber(helloIn datagram: [UInt8]) throws(WormholeError) {
        guard case .watch = configuration.role, case .hello(let hello) = try? ControlFrame(datagram.span) else {
            return
        }
        let streams = try resume(.phone, hello).1
        endpoint.after { [endpoint] in
            endpoint.deliveries.resumed(.phone, streams.positions, renumbered: streams.renumbered)
        }
    }

    private func apply(
        _ header: MessageHeader, _ datagram: [UInt8], heldFor: Microseconds, at now: WatchLink.Instant
    ) throws(WormholeError) {
        guard let peer, let epoch = session.positions.peerEpoch else { return }
        let content = LinkMachine.content(of: datagram, header: header)
        let message = InboundMessage(
            peer: peer, epoch: epoch, origin: header.origin, sequence: header.sequence,
            charge: MessageCharge(FrameKind(rawValue: datagram[0])),
            content: content ?? .nothing(header.delivery == .queued ? .queued : .latest))
        let stored = try store.apply(message)
        let outcome = content == nil ? .rejected(.malformed) : stored
        endpoint.after { [self] in
            applied.append(Applied(header: header, arrived: now, heldBefore: heldFor, outcome: outcome))
            endpoint.touch(self)
            switch outcome {
            case .applied: sendToListeners(message)
            case .repeated: break
            case .rejected(let reason):
                logger.warning(
                    "message rejected", metadata: ["content": "\(message.content)", "reason": "\(reason.words)"])
            }
        }
    }

    private func sendToListeners(_ message: InboundMessage) {
        let origin = MessageOrigin.peer(message.peer)
        switch message.content {
        case .queued(let name, let payload):
            let delivery = message.charge.delivery
            endpoint.emit(.heard(HeardMessage(name: name, origin: origin, delivery: delivery, payload: payload)))
        case .latest(let name, let payload):
            endpoint.emit(.heard(HeardMessage(name: name, origin: origin, delivery: .latest, payload: payload)))
        case .cleared(let name): endpoint.emit(.heard(HeardMessage(clearing: name, from: origin)))
        case .nothing: break
        }
    }

    private static func content(of datagram: [UInt8], header: MessageHeader) -> InboundMessage.Content? {
        guard let body = try? MessageBody(datagram.span, header: header) else { return nil }
        if !header.hasValue && header.delivery == .queued { return .nothing(.queued) }
        guard let message = OutboundMessage(copying: body) else { return nil }
        switch header.delivery {
        case .queued: return .queued(message.name, payload: message.payload)
        case .latest:
            return header.hasValue ? .latest(message.name, payload: message.payload) : .cleared(message.name)
        }
    }
}

extension OutboundMessage {
    init?(copying body: borrowing MessageBody) {
        let text = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let name = try? MessageName(text) else { return nil }
        self.init(name: name, payload: body.payload.withUnsafeBufferPointer { Array($0) })
    }
}

// MARK: Sending

extension LinkMachine {
    /// Tells the session the highest sequence and revision that this side has issued. Does nothing before the link opens,
    /// because a link reads both numbers from the store when it opens. Ignores numbers of another epoch.
    func learn(_ issued: IssuedPositions) {
        guard peer != nil, issued.epoch == session.identity.epoch else { return }
        session.issued(queuedUpTo: issued.queued)
        session.issued(latestUpTo: issued.latest)
        endpoint.touch(self)
    }

    func withdrawn() { readAhead = [] }

    /// Sends a queued message. If the message was cancelled or is too large for the peer, sends its sequence without name and
    /// value.
    func sendQueued(_ sequence: UInt32, at now: WatchLink.Instant) throws(WormholeError) {
        guard let peer, let limit = session.largestBody else { return }
        let queued = try takeQueued(sequence, to: peer)
        var header = MessageHeader(.queued, sequence: sequence)
        header.origin = queued.origin
        let datagram: [UInt8]
        let receipt: Receipt
        switch queued.content {
        case .message(let message, let charge) where message.bodySize <= limit:
            // A peer that takes no complication messages gets them as plain queued ones.
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

    private func takeQueued(_ sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> QueuedMessage {
        if readAhead.first?.sequence != sequence {
            readAhead = try store.queue(to: peer, from: sequence, most: LinkMachine.mostAhead)[...]
        }
        guard let message = readAhead.popFirst() else {
            throw .storage("the queue of \(peer) has no message \(sequence)")
        }
        return message
    }

    private static let mostAhead = 32

    private static func withdrawal(_ header: MessageHeader) throws(WormholeError) -> [UInt8] {
        var empty = MessageHeader(.queued, sequence: header.sequence, hasValue: false)
        empty.origin = header.origin
        return try datagram { writer throws(CBORError) in try empty.encode(into: &writer) }
    }

    /// Sends the value with the lowest revision above `revision`, or skips it if it is too large for the peer.
    func sendLatest(after revision: UInt32, at now: WatchLink.Instant) throws(WormholeError) {
        guard let peer, let limit = session.largestBody else { return }
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
