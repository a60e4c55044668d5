/// A program listens to names: it hears what is passed from now on, and first what waits in the inbox, until it has taken that.
struct SharedListening {
    private let command: SharedCommand
    private let pattern: NamePattern

    init(_ command: SharedCommand, _ pattern: NamePattern) {
        self.command = command
        self.pattern = pattern
    }

    func run() async throws(WormholeError) {
        let heard = command.endpoint.messages(withPrefix: "")
        let kept = try await command.inbox?.listen()
        await withDiscardingTaskGroup { group in
            if let kept { group.addTask { await send(kept) } }
            await send(heard)
            group.cancelAll()
        }
    }

    private func send(_ messages: AsyncStream<HeardMessage>) async {
        let isKeptApart = command.inbox != nil
        for await message in messages where pattern.matches(message.name) && !(isKeptApart && message.isKept) {
            guard (try? await command.channel.send(SharedReply(message))) != nil else { return }
        }
    }

    private func send(_ messages: AsyncStream<KeptMessage>) async {
        for await message in messages where pattern.matches(message.name) {
            let reply = SharedReply.kept(message.number, SharedReply.Heard(message))
            guard (try? await command.channel.send(reply)) != nil else { return }
        }
    }
}

extension SharedReply {
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

extension SharedReply.Heard {

    init(_ kept: KeptMessage) {
        self.init(name: kept.name, peer: kept.peer.description, delivery: kept.delivery, payload: kept.payload)
    }
}
