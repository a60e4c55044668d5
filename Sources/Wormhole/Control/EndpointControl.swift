import Synchronization
import WatchLink

package struct EndpointControl: Sendable {
    private let endpoint: Wormhole
    private let inbox: EndpointInbox?

    package init(_ endpoint: Wormhole, inbox: MessageStore?) {
        self.endpoint = endpoint
        self.inbox = inbox.map { EndpointInbox($0, of: endpoint) }
    }

    package func perform(_ request: ControlCommand, _ exchange: ControlExchange) async throws(WormholeError) {
        switch request {
        case .pass(let name, let payload, let delivery, let recipient, let timeout):
            try await pass(name, payload, delivery, to: recipient, within: .milliseconds(timeout), exchange)
        case .read(let name): try await read(name, exchange)
        case .clear(let name?): try await endpoint.clear(name)
        case .clear(nil): try await endpoint.clearAll()
        case .listen(let pattern): try await listen(to: pattern, exchange)
        case .ask(let name, let payload, let recipient, let timeout):
            let timeout = Microseconds.milliseconds(timeout)
            let peer = try await onePeer(recipient, within: timeout)
            let answer = try await endpoint.ask(
                encoded: payload, under: name, of: peer, within: timeout, reaching: .within(timeout))
            try await exchange.reply(.value(name, answer))
        case .answer(let name): try await answer(name, exchange)
        case .outstanding: try await outstanding(exchange)
        case .fate(let number, let isFollowed): try await fate(number, isFollowed: isFollowed, exchange)
        case .cancel(.message(let number)): try await endpoint.cancel(number)
        case .cancel(.file(let number)): try await cancel(number)
        case .send(let path, let label, let recipient, let metadata, let timeout):
            let label = try FileLabel(label)
            let peer = try await onePeer(recipient, within: .milliseconds(timeout))
            let transfer = try await endpoint.send(fileAt: path, as: label, to: peer, encodedMetadata: metadata)
            try await follow(transfer, exchange)
        case .followFile(let number): try await follow(try await endpoint.transfer(number), exchange)
        case .receive(let directory, let count): try await receive(into: directory, atMost: count, exchange)
        case .budget: try await budget(exchange)
        case .peers:
            for peer in try await knownPeers() { try await exchange.reply(.peer(peer)) }
        case .taken, .answered, .changing, .run: throw .notServed
        }
    }

    private func read(_ name: MessageName?, _ exchange: ControlExchange) async throws(WormholeError) {
        let names =
            if let name { [name] } else {
                try await endpoint.call { machine throws(WormholeError) in try machine.store.namesWithValue() }
            }
        for name in names {
            let value = try await endpoint.call { machine throws(WormholeError) in
                try machine.store.currentValue(under: name)
            }
            guard let value else { continue }
            try await exchange.reply(.value(name, value))
        }
    }

    private func budget(_ exchange: ControlExchange) async throws(WormholeError) {
        for peer in try await identities() {
            let left = try await endpoint.complicationsLeft(for: peer)
            try await exchange.reply(.budget(peer, left: left))
        }
    }

    private func outstanding(_ exchange: ControlExchange) async throws(WormholeError) {
        for message in try await endpoint.outstanding() { try await exchange.reply(.outstanding(message)) }
        for file in try await endpoint.filesUnderWay() { try await exchange.reply(.file(file.record)) }
    }

    private func fate(
        _ number: ControlCommand.OutstandingNumber, isFollowed: Bool, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        switch (number, isFollowed) {
        case (.message(let number), true):
            let copy = ControlReply.Copy(peer: nil, number: number.rawValue)
            try await report(try await endpoint.copy(of: number).fates, copy, exchange)
        case (.message(let number), false):
            let fate = try await endpoint.fate(of: number)
            try await exchange.reply(.fate(ControlReply.Copy(peer: nil, number: number.rawValue), fate))
        case (.file(let number), _):
            let transfer = try await endpoint.transfer(number)
            try await exchange.reply(.file(transfer.record))
            guard !isFollowed else { return try await report(transfer.fates, ControlReply.Copy(transfer), exchange) }
            try await exchange.reply(.fate(ControlReply.Copy(transfer), transfer.fate))
        }
    }

    /// Replies with each fate, up to the final one. Throws `.closed` if the task is cancelled first.
    private func report(
        _ fates: AsyncStream<MessageFate>, _ copy: ControlReply.Copy, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        await exchange.reply(with: fates) { .fate(copy, $0) }
        if Task.isCancelled { throw .closed }
    }
}

// MARK: Passing and answering

extension EndpointControl {
    /// Passes a message. If no peer is known, a queued message waits until one connects, because each queue belongs to a known
    /// peer. An interactive message or a notification waits for a reachable peer, because a user often passes such a message
    /// right after the endpoint has started.
    private func pass(
        _ name: MessageName, _ payload: [UInt8]?, _ delivery: Delivery, to recipient: String?,
        within timeout: Microseconds, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        let recipients =
            if let recipient { Recipients.only(try await peer(called: recipient)) } else { Recipients.everyone }
        if payload == nil || delivery == .interactive { try await waitForAnyPeer(timeout) }
        var handle: MessageHandle?
        do throws(WormholeError) {
            handle = try await endpoint.pass(encoded: payload, under: name, delivery: delivery, to: recipients)
        } catch {
            guard error == .unknownPeer, timeout > .zero else { throw error }
            try await waitForAnyPeer(timeout)
            handle = try await endpoint.pass(encoded: payload, under: name, delivery: delivery, to: recipients)
        }
        let copies = (handle?.copies.sorted { $0.key < $1.key } ?? []).map { peer, copy in
            (ControlReply.Copy(peer: peer, number: copy.number?.rawValue), copy.fates)
        }
        try await exchange.reply(.passed(copies.map(\.0)))
        await withDiscardingTaskGroup { group in
            for (copy, fates) in copies { group.addTask { try? await report(fates, copy, exchange) } }
        }
        if Task.isCancelled { throw .closed }
    }

    /// Passes questions to the program that sent the command. When that program disconnects, the unanswered questions fail.
    private func answer(_ name: MessageName, _ exchange: ControlExchange) async throws(WormholeError) {
        let questions = OpenQuestions()
        let registration = try endpoint.answer(encoded: name) { payload, _ in
            await questions.outcome { number in try await exchange.reply(.asked(number, payload)) }
        }
        defer {
            registration.end()
            questions.end()
        }
        try await exchange.reply(.ready)
        for await request in exchange.further {
            guard case .answered(let number, let payload) = request else { continue }
            questions.answered(number, payload.map(AnswerOutcome.value) ?? .failure(.failed))
        }
    }
}

private final class OpenQuestions: Sendable {
    private struct Waiting {
        var next: UInt64 = 1
        var answers: [UInt64: AsyncStream<AnswerOutcome>.Continuation] = [:]
    }

    private let waiting = Mutex<Waiting?>(Waiting())

    /// Gives a question the next number, sends it to the answering program with `tell`, and waits for the answer. Returns a
    /// failure if the program disconnects first.
    func outcome(_ tell: @Sendable (UInt64) async throws -> Void) async -> AnswerOutcome {
        let (answers, answer) = AsyncStream.makeStream(of: AnswerOutcome.self)
        let number = waiting.withLock { waiting in
            let number = waiting?.next
            if let number { waiting?.answers[number] = answer }
            waiting?.next += 1
            return number
        }
        guard let number, (try? await tell(number)) != nil else { return .failure(.failed) }
        for await outcome in answers { return outcome }
        return .failure(.failed)
    }

    func answered(_ number: UInt64, _ outcome: AnswerOutcome) {
        _ = waiting.withLock { $0?.answers.removeValue(forKey: number) }?.yield(outcome)
    }

    func end() {
        let left = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting?.answers.values
        }
        left?.forEach { $0.finish() }
    }
}

// MARK: Listening

extension EndpointControl {
    private func listen(to pattern: NamePattern, _ exchange: ControlExchange) async throws(WormholeError) {
        guard let inbox else {
            return await exchange.reply(with: endpoint.messages(withPrefix: "")) {
                pattern.matches($0.name) ? .heard($0, kept: nil) : nil
            }
        }
        let arrivals = try await inbox.listen()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await request in exchange.further {
                    guard case .taken(let number) = request else { continue }
                    await inbox.take(number)
                    try? await exchange.reply(.taken(number))
                }
            }
            await exchange.reply(with: arrivals) { message, number in
                pattern.matches(message.name) ? .heard(message, kept: number) : nil
            }
            group.cancelAll()
        }
    }
}

// MARK: Files

extension EndpointControl {
    private func follow(_ transfer: FileTransfer, _ exchange: ControlExchange) async throws(WormholeError) {
        try await exchange.reply(.file(transfer.record))
        await withDiscardingTaskGroup { group in
            group.addTask { await exchange.reply(with: transfer.progress) { .progress($0) } }
            try? await report(transfer.fates, ControlReply.Copy(transfer), exchange)
            group.cancelAll()
        }
        if Task.isCancelled { throw .closed }
    }

    private func cancel(_ number: UInt64) async throws(WormholeError) {
        let transfer = try await endpoint.transfer(number)
        guard !transfer.fate.isFinal else { throw .noSuchFile(number) }
        await transfer.cancel()
    }

    private func receive(
        into directory: String, atMost count: Int?, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        let reception = try endpoint.receiveFiles(into: directory, atMost: count)
        defer { reception.end() }
        try await exchange.reply(.ready)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await file in reception.arriving {
                        group.addTask { await exchange.reply(with: file.progress) { .progress($0) } }
                    }
                }
            }
            await exchange.reply(with: reception.files) { .received($0) }
            group.cancelAll()
        }
    }
}

// MARK: Peers by name

extension EndpointControl {
    private func identities() async throws(WormholeError) -> [PeerIdentity] {
        guard case .phone = endpoint.configuration.role else { return [.phone] }
        return try await endpoint.call { machine throws(WormholeError) in try machine.store.peers() }
    }

    private func knownPeers() async throws(WormholeError) -> [ControlReply.Peer] {
        var known: [ControlReply.Peer] = []
        for identity in try await identities() {
            switch await endpoint.reachability(of: identity) {
            case .unreachable(let evidence):
                let why = evidence.reason.description
                known.append(ControlReply.Peer(identity: identity, name: "", isReachable: false, evidence: why))
            case .reachable(let evidence):
                let name = EndpointControl.name(in: evidence.hello)
                known.append(
                    ControlReply.Peer(identity: identity, name: name, isReachable: true, evidence: "it answers"))
            }
        }
        return known
    }

    private static func name(in hello: Hello) -> String {
        String(decoding: (0..<hello.name.count).map { hello.name.utf8[$0] }, as: UTF8.self)
    }

    /// Finds the peer called `text`. If `text` is nil, a watch's endpoint takes the phone, and a phone's endpoint waits for a
    /// reachable watch. Throws `.unreachable` if no watch becomes reachable, and `.severalPeers` if several peers fit.
    private func onePeer(
        _ text: String?, within limit: Microseconds
    ) async throws(WormholeError) -> PeerIdentity {
        if let text { return try await peer(called: text) }
        if endpoint.configuration.role == .watch { return .phone }
        try await waitForAnyPeer(limit)
        let reachable = try await knownPeers().filter(\.isReachable)
        guard let first = reachable.first else {
            throw .unreachable(UnreachableReason.neverConnected.description)
        }
        guard reachable.count == 1 else { throw .severalPeers(reachable.map(\.identity)) }
        return first.identity
    }

    /// - Parameter text: a peer's name, its identity, or a prefix of the identity.
    /// - Throws: `.noSuchPeer`, `.severalPeers`.
    private func peer(called text: String) async throws(WormholeError) -> PeerIdentity {
        let known = try await knownPeers()
        // An empty text would match every identity, and the unknown name of each unreachable peer.
        guard !text.isEmpty else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        let fitting = known.filter { $0.name == text || $0.identity.description == text }
        let similar = fitting.isEmpty ? known.filter { $0.identity.description.hasPrefix(text) } : fitting
        guard let first = similar.first else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        guard similar.count == 1 else { throw .severalPeers(similar.map(\.identity)) }
        return first.identity
    }

    private func waitForAnyPeer(_ limit: Microseconds) async throws(WormholeError) {
        await endpoint.wait(limit)
        if Task.isCancelled { throw .closed }
    }
}

extension ControlReply.Copy {
    fileprivate init(_ transfer: FileTransfer) {
        self.init(peer: transfer.peer, number: transfer.number)
    }
}
