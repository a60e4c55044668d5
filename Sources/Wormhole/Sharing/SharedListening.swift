/// A program listens to names: it hears what is passed from now on, and first what waits in the inbox, until it has taken that.
struct SharedListening {
    private let command: SharedCommand
    private let pattern: NamePattern

    init(_ command: SharedCommand, _ pattern: NamePattern) {
        self.command = command
        self.pattern = pattern
    }

    func run() async throws(WormholeError) {
        if let arrivals = try await command.inbox?.listen() {
            await send(arrivals)
        } else {
            await send(command.endpoint.messages(withPrefix: ""))
        }
    }

    private func send(_ messages: AsyncStream<HeardMessage>) async {
        for await message in messages where pattern.matches(message.name) {
            guard await send(SharedReply(message)) else { return }
        }
    }

    private func send(_ arrivals: AsyncStream<SharedInbox.Arrival>) async {
        for await arrival in arrivals where pattern.matches(arrival.name) {
            guard await send(SharedReply(arrival)) else { return }
        }
    }

    /// Whether the program is still there.
    private func send(_ reply: SharedReply) async -> Bool { (try? await command.channel.send(reply)) != nil }
}

extension SharedInbox.Arrival {
    fileprivate var name: MessageName {
        switch self {
        case .kept(let message): message.name
        case .heard(let message): message.name
        }
    }
}

extension SharedReply {
    fileprivate init(_ arrival: SharedInbox.Arrival) {
        switch arrival {
        case .kept(let message): self = .kept(message.number, Heard(message))
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

extension SharedReply.Heard {

    init(_ kept: KeptMessage) {
        self.init(name: kept.name, peer: kept.peer.description, delivery: kept.delivery, payload: kept.payload)
    }
}
