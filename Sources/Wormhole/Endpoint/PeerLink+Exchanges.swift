import HostSystem
import WatchLink

// What this side asks.
extension PeerLink {
    /// Asks the peer, and waits for the reply: the encoded value, empty for a receipt.
    func ask(
        _ message: OutboundMessage, wish: InteractiveHeader.Wish, within limit: Microseconds,
        sent: @escaping @Sendable () -> Void = {}
    ) async throws(WormholeError) -> [UInt8] {
        guard case .peer(let peer) = peerState, let most = session.largestBody, isOpen else {
            throw .unreachable(UnreachableReason.connectionLost.description)
        }
        let room = most - (InteractiveHeader.size - MessageHeader.size)
        guard message.bodySize <= room else { throw .messageTooLarge(bytes: message.bodySize, limit: room) }
        guard exchanges.mayAsk else { throw .tooManyOpen(limit: Exchanges.mostOpen) }
        guard let number = session.ask() else { throw .notTaken(.interactive, by: peer) }
        let header = InteractiveHeader(
            number: number, patience: UInt32(clamping: limit.count / 1_000), wish: wish)
        let frame = try PeerLink.datagram(header, message)
        let deadline = clock.now + limit
        let waiter = exchanges.ask(number, until: deadline)
        setTimer(deadline)
        post(frame)
        sent()
        let progress = await waiter.wait { progress -> Exchanges.Progress? in
            switch progress {
            case .waiting: nil
            case .replied, .over: progress
            }
        }
        switch progress {
        case .replied(let status, let value):
            if let failure = AnswerFailure(status) { throw .noAnswer(failure) }
            return value
        case .over(let error): throw error
        case .waiting, nil:
            exchanges.giveUp(number, .cancelled)
            throw .cancelled
        }
    }

    /// Wakes the listeners of a name on the other side. Where that is under way already, once more is enough, however often it is
    /// asked for.
    func notify(_ name: MessageName) {
        guard isOpen, exchanges.notify(name) else { return }
        let message = OutboundMessage(name: name, payload: HeardMessage.nothing)
        Task {
            repeat {
                // A peer that is gone, or takes no such messages, hears nothing.
                _ = try? await ask(message, wish: .receipt, within: configuration.answerTime)
            } while exchanges.notified(name)
        }
    }

    /// Ends the exchanges whose time is over, and sees to the next.
    func expireExchanges() {
        for number in exchanges.expire(at: clock.now) { reply(number, .failure(.late)) }
        if let next = exchanges.deadline { setTimer(next) }
    }

    /// The peer has replied to something.
    func replied(_ header: ReplyHeader, in datagram: [UInt8]) {
        exchanges.replied(header.number, header.status, Array(datagram[ReplyHeader.size...]))
    }

    private static func datagram(
        _ header: InteractiveHeader, _ message: OutboundMessage
    ) throws(WormholeError) -> [UInt8] {
        let size = InteractiveHeader.size + message.bodySize
        return try datagram(size: size) { writer throws(CBORError) in
            try header.encode(into: &writer)
            try writer.text(Array(message.name.text.utf8).span)
            try writer.raw(message.payload.span)
        }
    }
}

// What the peer asks.
extension PeerLink {
    /// Has a message of the peer's answered. Whatever comes of it, there is one reply.
    func answer(_ header: InteractiveHeader, in datagram: [UInt8], arrived: WatchLink.Instant) {
        guard case .peer(let peer) = peerState else { return }
        // Whoever asks and reads no replies is kept to an amount of memory.
        guard !exchanges.isFull else { return close(.protocolFault(.windowExceeded)) }
        guard let body = try? MessageBody(interactive: datagram.span), let message = OutboundMessage(copying: body)
        else { return reply(header.number, .failure(.malformed)) }
        endpoint.heard.send(
            HeardMessage(
                name: message.name, origin: .peer(peer), delivery: .interactive, payload: message.payload))
        guard let answerer = endpoint.answerers[message.name] else { return reply(header.number, .failure(.nobody)) }
        guard exchanges.mayAnswer else { return reply(header.number, .failure(.busy)) }
        let number = header.number
        let wish = header.wish
        let deadline = arrived + Microseconds(UInt64(header.patience) * 1_000)
        exchanges.begin(number, until: deadline)
        setTimer(deadline)
        // Whoever answers without waiting for anything has answered when this returns.
        let answer = Task.immediate {
            let outcome = await answerer(message.payload, peer)
            self.finish(number, outcome, wish)
        }
        exchanges.waits(number, answer)
    }

    private func finish(_ number: UInt32, _ outcome: AnswerOutcome, _ wish: InteractiveHeader.Wish) {
        guard exchanges.end(number) else { return }
        switch (outcome, wish) {
        case (.value(let value), .value): reply(number, fits(value) ? .value(value) : .failure(.tooLong))
        case (.value, .receipt): reply(number, .value([]))
        case (.failure, _): reply(number, outcome)
        }
    }

    /// Whether a value fits into a reply that the peer takes.
    private func fits(_ value: [UInt8]) -> Bool {
        value.count + ReplyHeader.size - MessageHeader.size <= session.largestBody ?? 0
    }

    private func reply(_ number: UInt32, _ outcome: AnswerOutcome) {
        let (status, value): (ReplyStatus, [UInt8]) =
            switch outcome {
            case .value(let value): (.answered, value)
            case .failure(let status): (status, [])
            }
        let header = ReplyHeader(number: number, status: status)
        let frame = try? PeerLink.datagram(size: ReplyHeader.size + value.count) { writer throws(CBORError) in
            try header.encode(into: &writer)
            try writer.raw(value.span)
        }
        guard let frame else { return }
        post(frame)
    }
}
