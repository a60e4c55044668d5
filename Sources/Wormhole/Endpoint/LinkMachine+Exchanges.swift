import WatchLink

// Questions of this side.
extension LinkMachine {
    func ask(
        _ message: OutboundMessage, wish: InteractiveHeader.Wish, within limit: Microseconds,
        _ done: @escaping Exchanges.Done
    ) throws(WormholeError) -> UInt32 {
        guard let peer, let most = session.largestBody, isOpen else {
            throw .unreachable(UnreachableReason.connectionLost.description)
        }
        let room = most - (InteractiveHeader.size - MessageHeader.size)
        guard message.bodySize <= room else { throw .messageTooLarge(bytes: message.bodySize, limit: room) }
        guard exchanges.mayAsk else { throw .tooManyOpen(limit: Exchanges.mostOpen) }
        guard let number = session.ask() else { throw .notTaken(.interactive, by: peer) }
        let header = InteractiveHeader(
            number: number, timeout: UInt32(clamping: limit.count / 1_000), wish: wish)
        exchanges.append(try LinkMachine.datagram(header, message))
        exchanges.ask(number, until: endpoint.now + limit, done)
        endpoint.touch(self)
        return number
    }

    /// Sends a notification if the link is open. Calls that come while a notification of the same name is in transit are merged
    /// into one notification, which is sent afterwards.
    func notify(_ name: MessageName) {
        guard isOpen, exchanges.notify(name) else { return }
        sendNotice(name)
    }

    private func sendNotice(_ name: MessageName) {
        let message = OutboundMessage(name: name, payload: HeardMessage.nothing)
        // A peer that is unreachable or takes no interactive messages gets nothing.
        let asked = try? ask(message, wish: .receipt, within: configuration.answerTime) { [weak self] _ in
            if let self, exchanges.notified(name) { sendNotice(name) }
        }
        if asked == nil { _ = exchanges.notified(name) }
    }

    func expireExchanges(at now: WatchLink.Instant) {
        let (questions, numbers) = exchanges.expire(at: now)
        for done in questions { done(.failure(.noReply)) }
        for number in numbers {
            reply(number, .failure(.late))
            drop(number)
        }
    }

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

// Questions of the peer.
extension LinkMachine {
    /// Passes a question of the peer to the answerer for the question's name, or refuses the question. The peer gets one reply,
    /// unless the link closes first.
    func answer(_ header: InteractiveHeader, in datagram: [UInt8], arrived: WatchLink.Instant) {
        guard let peer else { return }
        // A peer that asks but never reads replies must not fill this side's memory.
        guard !exchanges.isFull else { return close(.protocolFault(.windowExceeded)) }
        guard let body = try? MessageBody(interactive: datagram.span), let message = OutboundMessage(copying: body)
        else { return reply(header.number, .failure(.malformed)) }
        endpoint.emit(
            .heard(
                HeardMessage(
                    name: message.name, origin: .peer(peer), delivery: .interactive, payload: message.payload)))
        guard exchanges.mayAnswer else { return reply(header.number, .failure(.busy)) }
        exchanges.begin(header.number, header.wish, until: arrived + Microseconds(UInt64(header.timeout) * 1_000))
        endpoint.emit(
            .answer(
                PeerQuestion(
                    id: PeerQuestion.ID(channel: channel, number: header.number), peer: peer, name: message.name,
                    payload: message.payload)))
    }

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
