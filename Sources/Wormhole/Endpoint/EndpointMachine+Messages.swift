import WatchLink

// Calls of the program that owns the endpoint. Each is one `EndpointInput`.
extension EndpointMachine {
    /// - Parameter payload: one CBOR data item; nil for a notification.
    package func pass(
        encoded payload: [UInt8]?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) throws(WormholeError) -> MessageHandle? {
        guard delivery != .file else { throw .fileIsNoMessage }
        try checkOpen()
        guard let payload else {
            notify(name, recipients)
            return nil
        }
        try prepare()
        let outbound = OutboundMessage(name: name, payload: payload)
        let peers = try peers(of: recipients)
        for peer in peers {
            guard let limit = largestBodies[peer], outbound.bodySize > limit else { continue }
            throw .messageTooLarge(bytes: outbound.bodySize, limit: limit)
        }
        let handle: MessageHandle
        switch delivery {
        case .interactive: handle = try interact(outbound, with: peers)
        case .queued: handle = try queue(outbound, to: peers, paying: nil)
        case .complication: handle = try queue(outbound, to: peers, paying: payment)
        case .latest, .file:
            let revision = try store.replace(name, with: payload, for: recipients)
            let copies = Dictionary(uniqueKeysWithValues: peers.map { ($0, MessageCopy()) })
            after { [self] in
                for (peer, copy) in copies { deliveries.enterLatest(copy, revision, name: name, to: peer) }
            }
            handle = MessageHandle(delivery: .latest, copies: copies)
            try outgoingChanged(for: recipients)
        }
        emit(.heard(HeardMessage(name: name, origin: .own, delivery: delivery, payload: payload)))
        return handle
    }

    /// Wakes the listeners for the name on this side and at every reachable recipient. Stores nothing.
    private func notify(_ name: MessageName, _ recipients: Recipients) {
        emit(.heard(HeardMessage(notifying: name, from: .own)))
        // Sorted, so that the order does not depend on hashing.
        for peer in current.keys.filter(recipients.include).sorted() { current[peer]?.notify(name) }
    }

    package func clear(_ name: MessageName) throws(WormholeError) {
        try checkOpen()
        try prepare()
        let revision = try store.replace(name, with: nil, for: .everyone)
        after { [self] in deliveries.cleared(name, at: revision) }
        emit(.heard(HeardMessage(clearing: name, from: .own)))
        try outgoingChanged()
    }

    func clearAll() throws(WormholeError) {
        for name in try store.namesWithValue() {
            do throws(WormholeError) { try clear(name) } catch {
                // Values under reserved names belong to the program that owns the store. They stay.
                guard case .reservedName = error else { throw error }
            }
        }
    }

    private func peers(of recipients: Recipients) throws(WormholeError) -> [PeerIdentity] {
        switch (recipients, configuration.role) {
        case (.only(let peer), _): [peer]
        case (.everyone, .watch): [.phone]
        case (.everyone, .phone): try store.peers()
        }
    }

    private func queue(
        _ message: OutboundMessage, to peers: [PeerIdentity], paying payment: ComplicationPayment?
    ) throws(WormholeError) -> MessageHandle {
        guard !peers.isEmpty else { throw .unknownPeer }
        var copies: [PeerIdentity: MessageCopy] = [:]
        var full = 0
        for peer in peers {
            do throws(WormholeError) {
                let issued = try store.append(message, to: peer, paying: payment)
                let copy = MessageCopy(number: issued.number, charge: issued.charge)
                copies[peer] = copy
                after { [self] in
                    deliveries.enterQueued(
                        copy, at: QueuePlace(peer: peer, sequence: issued.sequence, name: message.name))
                    current[peer]?.learn(
                        IssuedPositions(epoch: issued.epoch, queued: issued.sequence, latest: 0))
                }
            } catch {
                // One full queue, of a peer that is away for long, must not block the other peers.
                guard case .queueFull(let limit) = error, full + 1 < peers.count else { throw error }
                full += 1
                copies[peer] = MessageCopy(ended: .failed(.queueFull(limit: limit)))
            }
        }
        return MessageHandle(delivery: payment == nil ? .queued : .complication, copies: copies)
    }

    func complicationsLeft(for peer: PeerIdentity) throws(WormholeError) -> Int {
        try store.complicationBudget(of: peer).remaining(on: payment.day, of: payment.daily)
    }

    private var payment: ComplicationPayment {
        ComplicationPayment(day: configuration.localDay(), daily: configuration.complicationsADay)
    }

    /// Sends an interactive message to each reachable peer. The copies for other peers fail. Throws if no peer is reachable.
    private func interact(
        _ message: OutboundMessage, with peers: [PeerIdentity]
    ) throws(WormholeError) -> MessageHandle {
        var copies: [PeerIdentity: MessageCopy] = [:]
        var failure: WormholeError? = .unknownPeer
        for peer in peers {
            let copy = MessageCopy()
            copies[peer] = copy
            let link: LinkMachine
            do throws(WormholeError) { link = try openLink(to: peer) } catch {
                copy.advance(to: .failed(.notAnswered(error)))
                if failure != nil { failure = error }
                continue
            }
            failure = nil
            do throws(WormholeError) {
                _ = try link.ask(message, wish: .receipt, within: configuration.answerTime) { result in
                    switch result {
                    case .success:
                        copy.advance(to: .delivered)
                        copy.advance(to: .applied)
                    case .failure(let error): copy.advance(to: .failed(.notAnswered(error)))
                    }
                }
                after { copy.advance(to: .sent) }
            } catch {
                copy.advance(to: .failed(.notAnswered(error)))
            }
        }
        if let failure { throw failure }
        return MessageHandle(delivery: .interactive, copies: copies)
    }

    // MARK: Questions

    /// - Parameters:
    ///   - payload: one CBOR data item.
    ///   - done: gets the encoded answer or the error. The answer is empty if the question asked only for a receipt.
    @discardableResult
    package func ask(
        _ payload: [UInt8], under name: MessageName, of peer: PeerIdentity, wish: InteractiveHeader.Wish = .value,
        within limit: Microseconds, _ done: @escaping (Result<[UInt8], WormholeError>) -> Void
    ) throws(WormholeError) -> AskedQuestion {
        let link = try openLink(to: peer)
        let number = try link.ask(OutboundMessage(name: name, payload: payload), wish: wish, within: limit, done)
        return AskedQuestion(channel: link.channel, number: number)
    }

    /// Stops waiting for the answer. An answer that arrives later is ignored.
    func giveUp(_ question: AskedQuestion) {
        _ = links[question.channel]?.exchanges.takeQuestion(question.number)
    }

    package func answered(_ question: PeerQuestion.ID, _ outcome: AnswerOutcome) {
        links[question.channel]?.answered(question.number, outcome)
    }

    // MARK: Messages by their numbers

    package func outstanding() throws(WormholeError) -> [OutstandingMessage] {
        try checkOpen()
        return try store.outstanding()
    }

    package func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate {
        guard let fate = try store.fate(of: number) else { throw .noSuchMessage(number) }
        // A message that the store calls queued may have been sent already.
        return fate.isFinal ? fate : deliveries.copy(of: number)?.fate ?? fate
    }

    package func cancel(_ number: MessageNumber) throws(WormholeError) {
        try checkOpen()
        let fate = try fate(of: number)
        guard fate == .queued, let place = try store.withdraw(number) else { throw .notCancelled(number, fate) }
        after { [self] in
            deliveries.withdrawn(place.sequence, to: place.peer)
            current[place.peer]?.withdrawn()
        }
        try outgoingChanged(for: .only(place.peer))
    }

    /// Returns the object through which all callers see one message's fate. Call this only outside of a turn (one
    /// transaction of the store). Inside a turn that passes the message, `deliveries` does not have the object yet.
    func copy(of number: MessageNumber) throws(WormholeError) -> MessageCopy {
        precondition(!isInTurn)
        try checkOpen()
        if let copy = deliveries.copy(of: number) { return copy }
        guard let place = try store.place(of: number) else {
            guard let fate = try store.fate(of: number) else { throw .noSuchMessage(number) }
            return MessageCopy(number: number, ended: fate)
        }
        let copy = MessageCopy(number: number)
        deliveries.enterQueued(copy, at: place)
        return copy
    }
}

package struct AskedQuestion: Sendable {
    let channel: ChannelNumber
    let number: UInt32
}
