import WatchLink

extension PeerLink {
    /// A datagram that has arrived, and what it means.
    private struct Arrival {
        let datagram: [UInt8]
        let time: WatchLink.Instant
        let event: SessionEvent
    }

    /// A message that has arrived.
    private struct ArrivedMessage {
        let header: MessageHeader
        let datagram: [UInt8]
        let time: WatchLink.Instant
    }

    /// Takes datagrams, one at a time, until the channel ends.
    func receiveAll() async {
        while isRunning {
            do throws(WormholeError) {
                let datagram = try await transport.receive()
                await receive(datagram)
            } catch {
                if case .datagramTooLong = error {
                    close(.protocolFault(.tooLong))
                } else {
                    finish(endOfTransport(error))
                }
            }
            wakeSender()
        }
    }

    private func receive(_ datagram: [UInt8]) async {
        do throws(WormholeError) {
            try await handle(datagram)
        } catch {
            finish(.store(error))
        }
    }

    func handle(_ datagram: [UInt8]) async throws(WormholeError) {
        var next: Arrival? = take(datagram)
        defer { files.passOn() }
        while let arrival = next {
            next = nil
            if arrival.event != .file { files.passOn() }
            switch arrival.event {
            case .none, .duplicate: break
            case .interactive(let header): answer(header, in: arrival.datagram, arrived: arrival.time)
            case .reply(let header): replied(header, in: arrival.datagram)
            case .message(let header):
                let first = ArrivedMessage(header: header, datagram: arrival.datagram, time: arrival.time)
                let (messages, behind) = gather(from: first)
                try await besideArrivals { () async throws(WormholeError) in try await self.apply(messages) }
                next = behind
            case .file:
                if let header = takeFile(arrival.datagram) {
                    files.passOn()
                    try await besideArrivals { () async throws(WormholeError) in await self.handleFile(header) }
                } else {
                    // What has arrived together is written together.
                    next = takeNext()
                }
            case .helloArrived, .opened, .acknowledged, .closed:
                try await besideArrivals { () async throws(WormholeError) in
                    try await self.handle(arrival.event, of: arrival.datagram, arrived: arrival.time)
                }
            }
        }
    }

    /// Has something done elsewhere than on the thread that datagrams arrive on, which serves other links as well, and waits for no
    /// disk.
    private func besideArrivals(
        _ body: () async throws(WormholeError) -> Void
    ) async throws(WormholeError) {
        let others: (any TaskExecutor)? = transport.arrivals == nil ? nil : globalConcurrentExecutor
        try await withTaskExecutorPreference(others, operation: body)
    }

    /// What has arrived; nil where nothing has. A transport that has failed fails again when it is asked next.
    private func takeNext() -> Arrival? {
        do throws(WormholeError) {
            return try transport.receiveAtOnce().map(take)
        } catch {
            if case .datagramTooLong = error { close(.protocolFault(.tooLong)) }
            return nil
        }
    }

    private func take(_ datagram: [UInt8]) -> Arrival {
        let now = clock.now
        return Arrival(datagram: datagram, time: now, event: session.receive(datagram.span, at: now))
    }

    /// The messages that have arrived together, which the store applies together, and what has arrived behind them.
    private func gather(from first: ArrivedMessage) -> ([ArrivedMessage], Arrival?) {
        var messages = [first]
        while messages.count < LinkLimits.largestWindow, let arrival = takeNext() {
            switch arrival.event {
            case .none, .duplicate: break
            case .message(let header):
                messages.append(ArrivedMessage(header: header, datagram: arrival.datagram, time: arrival.time))
            case .helloArrived, .opened, .interactive, .reply, .file, .acknowledged, .closed: return (messages, arrival)
            }
        }
        return (messages, nil)
    }

    /// Handles what the store is asked about.
    private func handle(
        _ event: SessionEvent, of datagram: [UInt8], arrived: WatchLink.Instant
    ) async throws(WormholeError) {
        switch event {
        case .none, .duplicate, .interactive, .reply, .message, .file: break
        case .helloArrived(let hello): try await greet(hello, arrived: arrived)
        case .opened(let hello): try await greetPhone(hello, arrived: arrived)
        case .acknowledged(let acknowledgement):
            guard case .peer(let peer) = peerState else { return }
            try await store.acknowledged(acknowledgement, by: peer)
            endpoint.deliveries.acknowledged(acknowledgement, by: peer)
        case .closed(.historyLost): try await renumber(helloIn: datagram)
        case .closed(let reason): logger.info("link closes", metadata: ["reason": "\(reason.words)"])
        }
    }

    /// A watch has connected: the store gives the positions of its streams, and our hello answers.
    private func greet(_ hello: PeerHello, arrived: WatchLink.Instant) async throws(WormholeError) {
        let peer = PeerIdentity(rawValue: hello.identity)
        guard peer != .phone, try await store.admits(peer, from: transport.peer) else { return close(.refused) }
        await endpoint.claim(peer, for: self)
        let before = try await store.issued(to: peer).queued
        let (handshake, streams) = try await resume(peer, hello)
        peerState = .peer(peer)
        logger[metadataKey: "peer"] = "\(peer)"
        let event = session.accept(
            streams.positions, epoch: streams.epoch, localTime: configuration.localTime() ?? 0, lost: streams.lost,
            at: clock.now)
        guard case .opened = event else { return }
        await opened(peer, handshake, before: before, arrived: arrived)
    }

    /// The phone has answered: the store takes in its hello.
    private func greetPhone(_ hello: PeerHello, arrived: WatchLink.Instant) async throws(WormholeError) {
        await endpoint.claim(.phone, for: self)
        let before = try await store.issued(to: .phone).queued
        let (handshake, streams) = try await resume(.phone, hello)
        // The session knows what was issued when the channel opened. What was passed since then is not renumbered.
        session.issued(queuedUpTo: streams.positions.queuedIssued)
        peerState = .peer(.phone)
        await opened(.phone, handshake, before: before, arrived: arrived)
    }

    private func resume(
        _ peer: PeerIdentity, _ hello: PeerHello
    ) async throws(WormholeError) -> (PeerHandshake, PeerStreams) {
        let handshake = PeerHandshake(
            hello: hello, with: configuration.role, largestDatagram: transport.largestDatagram, from: transport.peer)
        return (
            handshake, try await store.resume(peer, handshake: handshake, newEpoch: configuration.drawEpoch())
        )
    }

    private func opened(
        _ peer: PeerIdentity, _ handshake: PeerHandshake, before: UInt32, arrived: WatchLink.Instant
    ) async {
        await endpoint.resumed(peer, session.positions, before: before)
        await endpoint.opened(peer, handshake, at: arrived)
        // Something may have been passed since the call of the store.
        await outgoingChanged()
        await filesChanged()
    }

    /// The phone remembers more of our streams than the store: they get a new epoch, for the next connection.
    private func renumber(helloIn datagram: [UInt8]) async throws(WormholeError) {
        guard case .watch = configuration.role, case .hello(let hello) = try? ControlFrame(datagram.span) else {
            return
        }
        let before = try await store.issued(to: .phone).queued
        let streams = try await resume(.phone, hello).1
        await endpoint.resumed(.phone, streams.positions, before: before)
    }

    /// Applies messages, and acknowledges each once the store has it.
    private func apply(_ arrived: [ArrivedMessage]) async throws(WormholeError) {
        guard case .peer(let peer) = peerState, let epoch = session.positions.peerEpoch else { return }
        let contents = arrived.map { PeerLink.content(of: $0.datagram, header: $0.header) }
        let messages = zip(arrived, contents).map { arrived, content in
            let header = arrived.header
            return InboundMessage(
                peer: peer, epoch: epoch, origin: header.origin, sequence: header.sequence,
                charge: MessageCharge(FrameKind(rawValue: arrived.datagram[0])),
                content: content ?? .nothing(header.delivery == .queued ? .queued : .latest))
        }
        var done = 0
        while done < messages.count {
            for outcome in try await store.apply(Array(messages[done...])) {
                let isLegible = contents[done] != nil
                finish(messages[done], arrived[done], isLegible ? outcome : .rejected(.malformed))
                done += 1
            }
            wakeSender()
        }
    }

    /// The store is done with a message.
    private func finish(_ message: InboundMessage, _ arrived: ArrivedMessage, _ outcome: ArrivalOutcome) {
        let header = arrived.header
        let now = clock.now
        session.applied(
            header.delivery, sequence: header.sequence, heldFor: now - arrived.time, outcome: outcome.acknowledged,
            at: now)
        switch outcome {
        case .applied: sendToListeners(message, header)
        case .repeated: break
        case .rejected(let reason):
            logger.warning(
                "message rejected", metadata: ["content": "\(message.content)", "reason": "\(reason.words)"])
        }
    }

    private func sendToListeners(_ message: InboundMessage, _ header: MessageHeader) {
        switch message.content {
        case .queued(let name, let payload), .latest(let name, let payload):
            endpoint.heard.send(
                HeardMessage(
                    name: name, origin: .peer(message.peer), delivery: PeerLink.delivery(message, header),
                    payload: payload))
        case .cleared(let name): endpoint.heard.send(HeardMessage(clearing: name, from: .peer(message.peer)))
        case .nothing: break
        }
    }

    /// How listeners hear that a message was delivered.
    private static func delivery(_ message: InboundMessage, _ header: MessageHeader) -> Delivery {
        switch (header.delivery, message.charge) {
        case (.latest, _): .latest
        case (.queued, .nothing): .queued
        case (.queued, .complication): .complication
        }
    }

    /// The content of a message frame, or nil where it cannot be read.
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
    /// The name and the payload of a frame; nil where it has no name.
    init?(copying body: borrowing MessageBody) {
        let text = body.name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let name = try? MessageName(text) else { return nil }
        self.init(name: name, payload: body.payload.withUnsafeBufferPointer { Array($0) })
    }
}
