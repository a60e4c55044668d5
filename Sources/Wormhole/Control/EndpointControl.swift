import HostSystem
import Synchronization
import WatchLink

/// Performs what programs ask of an endpoint.
package struct EndpointControl: Sendable {
    private let endpoint: Wormhole
    private let inbox: EndpointInbox?

    /// - Parameter inbox: the endpoint's store, if it keeps what arrives for the programs.
    package init(_ endpoint: Wormhole, inbox: MessageStore?) {
        self.endpoint = endpoint
        self.inbox = inbox.map { EndpointInbox($0, of: endpoint) }
    }

    package func perform(_ request: ControlCommand, _ exchange: ControlExchange) async throws(WormholeError) {
        switch request {
        case .pass(let passing): try await pass(passing, exchange)
        case .read(let name): try await read(name, exchange)
        case .clear(let name?): try await endpoint.clear(name)
        case .clear(nil): try await endpoint.clearAll()
        case .listen(let pattern): try await listen(to: pattern, exchange)
        case .ask(let question): try await ask(question, exchange)
        case .answer(let name): try await answer(name, exchange)
        case .outstanding: try await outstanding(exchange)
        case .fate(let number, let isFollowed): try await fate(number, isFollowed: isFollowed, exchange)
        case .cancel(.message(let number)): try await endpoint.cancel(number)
        case .cancel(.file(let number)): await (try await transfer(number)).cancel()
        case .send(let sending): try await send(sending, exchange)
        case .followFile(let number): try await follow(try await transfer(number), exchange)
        case .receive(let directory, let count): try await receive(into: directory, atMost: count, exchange)
        case .budget: try await budget(exchange)
        case .peers:
            for known in try await knownPeers() { try await exchange.reply(.peer(known.report)) }
        case .taken, .answered, .changing, .run: throw .notServed
        }
    }

    private func read(_ name: MessageName?, _ exchange: ControlExchange) async throws(WormholeError) {
        let names = if let name { [name] } else { try await endpoint.store.namesWithValue() }
        for name in names {
            guard let value = try await endpoint.store.currentValue(under: name) else { continue }
            try await exchange.reply(.value(name, value))
        }
    }

    private func budget(_ exchange: ControlExchange) async throws(WormholeError) {
        for known in try await knownPeers() {
            let left = try await endpoint.complicationsLeft(for: known.identity)
            try await exchange.reply(.budget(peer: known.identity.description, left: left))
        }
    }

    private func outstanding(_ exchange: ControlExchange) async throws(WormholeError) {
        for message in try await endpoint.outstanding() {
            let outstanding = ControlReply.Outstanding(
                number: message.number.rawValue, name: message.name, peer: message.peer.description,
                delivery: message.delivery, bytes: message.bytes)
            try await exchange.reply(.outstanding(outstanding))
        }
        for file in try await endpoint.filesUnderWay() { try await exchange.reply(.file(ControlReply.File(file))) }
    }

    private func fate(
        _ number: ControlCommand.OutstandingNumber, isFollowed: Bool, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        switch (number, isFollowed) {
        case (.message(let number), true):
            await report(try await endpoint.copy(of: number).fates, ControlReply.Copy(number), exchange)
        case (.message(let number), false):
            let fate = try await endpoint.fate(of: number)
            try await exchange.reply(.fate(ControlReply.Copy(number), FateReport(fate)))
        case (.file(let number), _):
            let transfer = try await transfer(number)
            try await exchange.reply(.file(ControlReply.File(transfer)))
            guard !isFollowed else { return await report(transfer.fates, ControlReply.Copy(transfer), exchange) }
            try await exchange.reply(.fate(ControlReply.Copy(transfer), FateReport(transfer.fate)))
        }
    }

    private func report(
        _ fates: AsyncStream<MessageFate>, _ copy: ControlReply.Copy, _ exchange: ControlExchange
    ) async {
        await exchange.reply(with: fates) { .fate(copy, FateReport($0)) }
    }
}

// MARK: Passing and asking

extension EndpointControl {
    private func pass(_ passing: ControlCommand.Passing, _ exchange: ControlExchange) async throws(WormholeError) {
        var recipients = Recipients.everyone
        if let text = passing.recipient { recipients = .only(try await peer(called: text)) }
        let handle = try await handle(passing, recipients)
        let copies = handle?.copies.sorted { $0.key < $1.key } ?? []
        try await exchange.reply(.passed(copies.map { ControlReply.Copy($0.key, $0.value.number) }))
        await withDiscardingTaskGroup { group in
            for (peer, copy) in copies {
                group.addTask { await report(copy.fates, ControlReply.Copy(peer, copy.number), exchange) }
            }
        }
    }

    /// A queued message waits for the first peer if none is known: there is no queue to put it into. A message that is not stored waits
    /// for a peer that can be reached: a shell that passes it has often just opened its end.
    private func handle(
        _ passing: ControlCommand.Passing, _ recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        if passing.payload == nil || passing.delivery == .interactive {
            await waitForAnyPeer(.milliseconds(passing.patience))
        }
        do throws(WormholeError) {
            return try await endpoint.pass(
                encoded: passing.payload, under: passing.name, delivery: passing.delivery, to: recipients)
        } catch {
            guard error == .unknownPeer, passing.patience > 0 else { throw error }
        }
        await waitForAnyPeer(.milliseconds(passing.patience))
        return try await endpoint.pass(
            encoded: passing.payload, under: passing.name, delivery: passing.delivery, to: recipients)
    }

    private func ask(_ question: ControlCommand.Question, _ exchange: ControlExchange) async throws(WormholeError) {
        let patience = Microseconds.milliseconds(question.patience)
        let peer = try await onePeer(question.recipient, within: patience)
        let value = try await endpoint.ask(
            encoded: question.payload, under: question.name, of: peer, within: patience, reaching: .within(patience))
        try await exchange.reply(.value(question.name, value))
    }

    /// The program is asked what peers ask, until it leaves. What it has not answered by then fails.
    private func answer(_ name: MessageName, _ exchange: ControlExchange) async throws(WormholeError) {
        let questions = OpenQuestions()
        let registration = try endpoint.answer(encoded: name) { payload, peer in
            await questions.outcome { number in
                let question = ControlReply.Heard(
                    name: name, peer: peer.description, delivery: .interactive, payload: payload)
                try await exchange.reply(.asked(number, question))
            }
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

/// The questions that a program was asked and has not answered.
private final class OpenQuestions: Sendable {
    private enum State {
        case open(next: UInt64, waiting: [UInt64: CheckedContinuation<AnswerOutcome, Never>])
        case ended
    }

    private let state = Mutex(State.open(next: 1, waiting: [:]))

    /// Tells the program a question under a number, and waits for the answer.
    func outcome(_ tell: @escaping @Sendable (UInt64) async throws -> Void) async -> AnswerOutcome {
        await withCheckedContinuation { continuation in
            let number: UInt64? = state.withLock { state in
                guard case .open(let number, var waiting) = state else { return nil }
                waiting[number] = continuation
                state = .open(next: number + 1, waiting: waiting)
                return number
            }
            guard let number else { return continuation.resume(returning: .failure(.failed)) }
            Task {
                if (try? await tell(number)) == nil { answered(number, .failure(.failed)) }
            }
        }
    }

    func answered(_ number: UInt64, _ outcome: AnswerOutcome) {
        let waiter: CheckedContinuation<AnswerOutcome, Never>? = state.withLock { state in
            guard case .open(let next, var waiting) = state else { return nil }
            let waiter = waiting.removeValue(forKey: number)
            state = .open(next: next, waiting: waiting)
            return waiter
        }
        waiter?.resume(returning: outcome)
    }

    /// Whatever is open, and whatever comes later, fails.
    func end() {
        let left: [CheckedContinuation<AnswerOutcome, Never>] = state.withLock { state in
            guard case .open(_, let waiting) = state else { return [] }
            state = .ended
            return Array(waiting.values)
        }
        for waiter in left { waiter.resume(returning: .failure(.failed)) }
    }
}

// MARK: Listening

extension EndpointControl {
    /// The program hears what is passed from now on, and first what waits in the inbox, until it has taken that.
    private func listen(to pattern: NamePattern, _ exchange: ControlExchange) async throws(WormholeError) {
        guard let inbox else {
            return await exchange.reply(with: endpoint.messages(withPrefix: "")) {
                pattern.matches($0.name) ? ControlReply($0) : nil
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
            await exchange.reply(with: arrivals) { pattern.matches($0.name) ? ControlReply($0) : nil }
            group.cancelAll()
        }
    }
}

// MARK: Files

extension EndpointControl {
    private func send(_ sending: ControlCommand.Sending, _ exchange: ControlExchange) async throws(WormholeError) {
        let label = try FileLabel(sending.label)
        let peer = try await onePeer(sending.recipient, within: .milliseconds(sending.patience))
        let transfer = try await endpoint.send(
            fileAt: sending.path, as: label, to: peer, encodedMetadata: sending.metadata, owner: sending.owner)
        try await follow(transfer, exchange)
    }

    private func follow(_ transfer: FileTransfer, _ exchange: ControlExchange) async throws(WormholeError) {
        try await exchange.reply(.file(ControlReply.File(transfer)))
        await withDiscardingTaskGroup { group in
            group.addTask { await exchange.reply(with: transfer.progress) { .progress($0) } }
            await report(transfer.fates, ControlReply.Copy(transfer), exchange)
            group.cancelAll()
        }
    }

    private func transfer(_ number: UInt64) async throws(WormholeError) -> FileTransfer {
        guard let transfer = try await endpoint.filesUnderWay().first(where: { $0.number == number }) else {
            throw .noSuchFile(number)
        }
        return transfer
    }

    /// Receives until the program leaves.
    private func receive(
        into directory: String, atMost count: Int?, _ exchange: ControlExchange
    ) async throws(WormholeError) {
        let reception = try endpoint.receiveFiles(into: directory, atMost: count)
        defer { reception.ending() }
        try await exchange.reply(.ready)
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    for await file in reception.arriving {
                        guard (try? await exchange.reply(.file(ControlReply.File(file)))) != nil else { return }
                        group.addTask { await exchange.reply(with: file.progress) { .progress($0) } }
                    }
                }
            }
            await exchange.reply(with: reception.files) { .received(ControlReply.Received($0)) }
            group.cancelAll()
        }
    }
}

// MARK: Peers, as a person names them

extension EndpointControl {
    private struct KnownPeer {
        let identity: PeerIdentity
        let reachability: PeerReachability

        /// The name in its hello; empty for one that is away.
        var name: String {
            switch reachability {
            case .unreachable: ""
            case .reachable(let evidence):
                String(decoding: (0..<evidence.hello.name.count).map { evidence.hello.name.utf8[$0] }, as: UTF8.self)
            }
        }

        var report: ControlReply.Peer {
            let evidence =
                switch reachability {
                case .unreachable(let evidence): evidence.reason.description
                case .reachable: "it answers"
                }
            return ControlReply.Peer(
                identity: identity.description, name: name, isReachable: reachability.isReachable, evidence: evidence)
        }
    }

    private func knownPeers() async throws(WormholeError) -> [KnownPeer] {
        let identities =
            endpoint.configuration.role == .watch ? [PeerIdentity.phone] : try await endpoint.store.peers()
        var known: [KnownPeer] = []
        for identity in identities {
            known.append(KnownPeer(identity: identity, reachability: await endpoint.reachability(of: identity)))
        }
        return known
    }

    /// The peer that is called so, or the only one that can be reached, for which this waits.
    private func onePeer(
        _ text: String?, within limit: Microseconds
    ) async throws(WormholeError) -> PeerIdentity {
        if let text { return try await peer(called: text) }
        if endpoint.configuration.role == .watch { return .phone }
        await waitForAnyPeer(limit)
        let reachable = try await knownPeers().filter(\.reachability.isReachable)
        guard let first = reachable.first else {
            throw .unreachable(UnreachableReason.neverConnected.description)
        }
        guard reachable.count == 1 else { throw .severalPeers(reachable.map(\.identity)) }
        return first.identity
    }

    /// - Parameter text: a name, an identity or the beginning of one.
    /// - Throws: `.noSuchPeer`, `.severalPeers`.
    private func peer(called text: String) async throws(WormholeError) -> PeerIdentity {
        let known = try await knownPeers()
        // The name of a peer that is away is not known, and every identity begins with nothing.
        guard !text.isEmpty else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        let fitting = known.filter { $0.name == text || $0.identity.description == text }
        let similar = fitting.isEmpty ? known.filter { $0.identity.description.hasPrefix(text) } : fitting
        guard let first = similar.first else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        guard similar.count == 1 else { throw .severalPeers(similar.map(\.identity)) }
        return first.identity
    }

    /// Waits until some peer can be reached, or the time is over.
    private func waitForAnyPeer(_ limit: Microseconds) async {
        let changes = endpoint.reachabilityChanges()
        let clock = endpoint.clock
        let deadline = clock.now + limit
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await change in changes where change.reachability.isReachable { return } }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}

// MARK: Replies

extension ControlReply {
    fileprivate init(_ arrival: EndpointInbox.Arrival) {
        switch arrival {
        case .kept(let message):
            self = .kept(
                message.number,
                Heard(
                    name: message.name, peer: message.peer.description, delivery: message.delivery,
                    payload: message.payload))
        case .heard(let message): self.init(message)
        }
    }

    init(_ message: HeardMessage) {
        let peer: String? =
            switch message.origin {
            case .own: nil
            case .peer(let peer): peer.description
            }
        switch message.act {
        case .cleared: self = .cleared(message.name, peer: peer)
        case .passed:
            self = .heard(Heard(name: message.name, peer: peer, delivery: message.delivery, payload: message.payload))
        }
    }
}

extension ControlReply.Copy {
    fileprivate init(_ peer: PeerIdentity, _ number: MessageNumber?) {
        self.init(peer: peer.description, number: number?.rawValue)
    }

    fileprivate init(_ number: MessageNumber) {
        self.init(peer: "", number: number.rawValue)
    }

    fileprivate init(_ transfer: FileTransfer) {
        self.init(peer: transfer.peer.description, number: transfer.number)
    }
}

extension ControlReply.File {
    fileprivate init(_ transfer: FileTransfer) {
        self.init(
            number: transfer.number, label: transfer.label.text, peer: transfer.peer.description,
            length: transfer.length, path: transfer.path)
    }

    fileprivate init(_ file: ArrivingFile) {
        self.init(
            number: nil, label: file.label.text, peer: file.peer.description, length: file.length,
            path: nil)
    }
}

extension ControlReply.Received {
    fileprivate init(_ file: ReceivedFile) {
        self.init(
            label: file.label.text, path: file.path, peer: file.peer.description, length: file.length,
            metadata: file.metadata)
    }
}
