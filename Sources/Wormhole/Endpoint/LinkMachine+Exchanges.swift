import WatchLink

// What this side asks.
extension LinkMachine {
    /// Asks the peer.
    ///
    /// - Returns: the number of the question.
    func ask(
        _ message: OutboundMessage, wish: InteractiveHeader.Wish, within limit: Microseconds,
        _ done: @escaping Exchanges.Done
    ) throws(WormholeError) -> UInt32 {
        guard case .peer(let peer) = peerState, let most = session.largestBody, isOpen else {
            throw .unreachable(UnreachableReason.connectionLost.description)
        }
        let room = most - (InteractiveHeader.size - MessageHeader.size)
        guard message.bodySize <= room else { throw .messageTooLarge(bytes: message.bodySize, limit: room) }
        guard exchanges.mayAsk else { throw .tooManyOpen(limit: Exchanges.mostOpen) }
        guard let number = session.ask() else { throw .notTaken(.interactive, by: peer) }
        let header = InteractiveHeader(
            number: number, patience: UInt32(clamping: limit.count / 1_000), wish: wish)
        exchanges.append(try LinkMachine.datagram(header, message))
        exchanges.ask(number, until: endpoint.now + limit, done)
        endpoint.touch(self)
        return number
    }

    /// Wakes the listeners of a name on the other side. While that is under way, once more is enough, however often it is
    /// asked for.
    func notify(_ name: MessageName) {
        guard isOpen, exchanges.notify(name) else { return }
        sendNotice(name)
    }

    private func sendNotice(_ name: MessageName) {
        let message = OutboundMessage(name: name, payload: HeardMessage.nothing)
        // A peer that is gone, or takes no such messages, hears nothing.
        let asked = try? ask(message, wish: .receipt, within: configuration.answerTime) { [weak self] _ in
            if let self, exchanges.notified(name) { sendNotice(name) }
        }
        if asked == nil { _ = exchanges.notified(name) }
    }

    /// Ends the exchanges whose time is over.
    func expireExchanges(at now: WatchLink.Instant) {
        let (questions, numbers) = exchanges.expire(at: now)
        for done in questions { done(.failure(.noReply)) }
        for number in numbers {
            reply(number, .failure(.late))
            drop(number)
        }
    }

    /// The peer has replied to something.
    func replied(_ header: ReplyHeader, in datagram: [UInt8]) {
        guard let done = exchanges.takeQuestion(header.number) else { return }
        if header.status != .answered { return done(.failure(.noAnswer(header.status))) }
        done(.success(Array(datagram[ReplyHeader.size...])))
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
extension LinkMachine {
    /// Has a message of the peer's answered. Whatever comes of it, there is one reply.
    func answer(_ header: InteractiveHeader, in datagram: [UInt8], arrived: WatchLink.Instant) {
        guard case .peer(let peer) = peerState else { return }
        // Whoever asks and reads no replies is kept to an amount of memory.
        guard !exchanges.isFull else { return close(.protocolFault(.windowExceeded)) }
        guard let body = try? MessageBody(interactive: datagram.span), let message = OutboundMessage(copying: body)
        else { return reply(header.number, .failure(.malformed)) }
        endpoint.emit(
            .heard(
                HeardMessage(
                    name: message.name, origin: .peer(peer), delivery: .interactive, payload: message.payload)))
        guard exchanges.mayAnswer else { return reply(header.number, .failure(.busy)) }
        exchanges.begin(header.number, header.wish, until: arrived + Microseconds(UInt64(header.patience) * 1_000))
        endpoint.emit(
            .answer(
                PeerQuestion(
                    id: PeerQuestion.ID(channel: channel, number: header.number), peer: peer, name: message.name,
                    payload: message.payload)))
    }

    /// No answer is wanted any more.
    func drop(_ number: UInt32) {
        endpoint.emitAtOnce(.dropAnswer(PeerQuestion.ID(channel: channel, number: number)))
    }

    func answered(_ number: UInt32, _ outcome: AnswerOutcome) {
        guard let wish = exchanges.end(number) else { return }
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
        let frame = try? LinkMachine.datagram(size: ReplyHeader.size + value.count) { writer throws(CBORError) in
            try header.encode(into: &writer)
            try writer.raw(value.span)
        }
        guard let frame else { return }
        exchanges.append(frame)
        endpoint.touch(self)
    }
}
