import WatchLink

/// One connection of the control socket: a command of another program, until that program leaves.
struct SharedCommand: Sendable {
    let channel: SharedChannel
    let endpoint: Wormhole
    /// Nil where the endpoint's own program applies what arrives.
    let inbox: SharedInbox?

    init(_ channel: SharedChannel, _ endpoint: Wormhole, _ inbox: SharedInbox?) {
        self.channel = channel
        self.endpoint = endpoint
        self.inbox = inbox
    }

    func run() async {
        defer { channel.close() }
        guard (try? await channel.send(SharedReply.serving)) != nil,
            let request = try? await channel.receive(SharedRequest.self)
            // A program that has given up is not told what came of its request, so nothing comes of it.
        else { return }
        guard !channel.hasLeft else { return }
        let (further, continuation) = AsyncStream.makeStream(
            of: SharedRequest.self, bufferingPolicy: .bufferingOldest(SharedCommand.mostUnread))
        await withDiscardingTaskGroup { group in
            group.addTask {
                await perform(request, further)
                channel.close()
            }
            // What the program begins ends with its connection.
            while let next = try? await channel.receive(SharedRequest.self) {
                if case .taken(let number) = next {
                    await inbox?.take(number)
                    guard (try? await channel.send(SharedReply.taken(number))) != nil else { break }
                } else {
                    guard case .enqueued = continuation.yield(next) else { break }
                }
            }
            continuation.finish()
            group.cancelAll()
        }
    }

    /// The most further requests of a program that are not dealt with yet. One that sends more is disconnected.
    private static let mostUnread = 256

    private func perform(_ request: SharedRequest, _ further: AsyncStream<SharedRequest>) async {
        do throws(WormholeError) {
            switch request {
            case .pass(let passing): try await pass(passing)
            case .read(let name):
                let value = try await endpoint.call { machine throws(WormholeError) in
                    try machine.currentValue(under: name)
                }
                try await channel.send(SharedReply.value(value))
            case .names:
                for name in try await endpoint.names() {
                    try await channel.send(SharedReply.named(name))
                }
            case .clear(let name): try await clear(name)
            case .listen(let pattern): try await SharedListening(self, pattern).run()
            case .ask(let question): try await ask(question)
            case .answer(let name): try await SharedAnswering(self, name).run(further)
            case .outstanding: try await outstanding()
            case .fate(let number, let following): try await fate(number, following)
            case .cancel(let number): try await endpoint.cancel(number)
            case .send(let sending): try await SharedFiles(self).send(sending)
            case .followFile(let number): try await SharedFiles(self).follow(number)
            case .fateOfFile(let number, let following): try await SharedFiles(self).fate(number, following)
            case .cancelFile(let number): try await SharedFiles(self).cancel(number)
            case .receive(let directory, let count):
                try await SharedFiles(self).receive(into: directory, atMost: count)
            case .budget: try await budget()
            case .peers: try await peers()
            case .taken, .answered: throw .coding(.malformed("a command begins otherwise"))
            }
            try await channel.send(SharedReply.done)
        } catch {
            try? await channel.send(SharedReply.failed(SharedReply.Failure(error)))
        }
    }

    private func clear(_ name: MessageName?) async throws(WormholeError) {
        if let name { try await endpoint.clear(name) } else { try await endpoint.clearAll() }
    }

    private func budget() async throws(WormholeError) {
        for known in try await SharedPeers(endpoint).all() {
            let left = try await endpoint.complicationsLeft(for: known.identity)
            try await channel.send(SharedReply.budget(peer: known.identity.description, left: left))
        }
    }

    private func outstanding() async throws(WormholeError) {
        for message in try await endpoint.outstanding() {
            let outstanding = SharedReply.Outstanding(
                number: message.number.rawValue, name: message.name, peer: message.peer.description,
                delivery: message.delivery, bytes: message.bytes)
            try await channel.send(SharedReply.outstanding(outstanding))
        }
        for file in try await endpoint.filesUnderWay() {
            try await channel.send(SharedReply.file(SharedReply.File(file)))
        }
    }

    private func peers() async throws(WormholeError) {
        for known in try await SharedPeers(endpoint).all() { try await channel.send(SharedReply.peer(known.report)) }
    }
}

// Passing and asking.
extension SharedCommand {
    private func pass(_ passing: SharedRequest.Passing) async throws(WormholeError) {
        let recipients = try await SharedPeers(endpoint).recipients(passing.recipient)
        let handle = try await handle(passing, recipients)
        let copies = handle?.copies.sorted { $0.key < $1.key } ?? []
        try await channel.send(SharedReply.passed(copies.map { SharedReply.Copy($0.key, $0.value.number) }))
        await withDiscardingTaskGroup { group in
            for (peer, copy) in copies {
                group.addTask { await report(copy.fates, SharedReply.Copy(peer, copy.number)) }
            }
        }
    }

    /// A queued message waits for the first peer where none is known: there is no queue to put it into. What is kept nowhere waits for
    /// a peer that can be reached: a shell that passes it has often just opened its end.
    private func handle(
        _ passing: SharedRequest.Passing, _ recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle? {
        if passing.payload == nil || passing.delivery == .interactive {
            await SharedPeers(endpoint).waitForAny(.milliseconds(passing.patience))
        }
        do throws(WormholeError) {
            return try await endpoint.pass(
                encoded: passing.payload, under: passing.name, delivery: passing.delivery, to: recipients)
        } catch {
            guard error == .unknownPeer, passing.patience > 0 else { throw error }
        }
        await SharedPeers(endpoint).waitForAny(.milliseconds(passing.patience))
        return try await endpoint.pass(
            encoded: passing.payload, under: passing.name, delivery: passing.delivery, to: recipients)
    }

    func report(_ fates: AsyncStream<MessageFate>, _ copy: SharedReply.Copy) async {
        for await fate in fates {
            guard (try? await channel.send(SharedReply.fate(copy, FateReport(fate)))) != nil else { return }
        }
    }

    private func ask(_ question: SharedRequest.Question) async throws(WormholeError) {
        let reach = Microseconds.milliseconds(question.reach)
        let peer = try await SharedPeers(endpoint).one(question.recipient, within: reach)
        let value = try await endpoint.ask(
            encoded: question.payload, under: question.name, of: peer, within: .milliseconds(question.patience),
            reaching: .within(reach))
        try await channel.send(SharedReply.value(value))
    }

    private func fate(
        _ number: MessageNumber, _ following: SharedRequest.Following
    ) async throws(WormholeError) {
        switch following {
        case .toTheEnd: await report(try await endpoint.copy(of: number).fates, SharedReply.Copy(number))
        case .now:
            let fate = try await endpoint.fate(of: number)
            try await channel.send(SharedReply.fate(SharedReply.Copy(number), FateReport(fate)))
        }
    }
}

extension SharedReply.Copy {
    fileprivate init(_ peer: PeerIdentity, _ number: MessageNumber?) {
        self.init(peer: peer.description, number: number?.rawValue)
    }

    fileprivate init(_ number: MessageNumber) {
        self.init(peer: "", number: number.rawValue)
    }
}
