import WatchLink

extension Wormhole: Listening {
    /// The value that either side last passed under a name; see `Listening`.
    public func value<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) async throws(WormholeError) -> Message? {
        guard let payload = try await store.currentValue(under: name) else { return nil }
        return try MessageDecoder().decode(type, from: payload)
    }

    /// The messages under one name, from now on; see `Listening`.
    public nonisolated func messages<Message: Passable>(
        of type: Message.Type, under name: MessageName
    ) -> AsyncStream<Message> {
        heard.listen { [logger] message in
            guard message.name == name, message.act == .passed else { return nil }
            do throws(WormholeError) {
                return try message.decoded(as: type)
            } catch {
                // It was passed without a value, for whoever listens to notifications.
                if message.isNotification { return nil }
                logger.warning(
                    "message of another type", metadata: ["name": "\(name)", "error": "\(error)", "type": "\(type)"])
                return nil
            }
        }
    }

    /// The notifications under one name, from now on; see `Listening`.
    public nonisolated func notifications(under name: MessageName) -> AsyncStream<MessageOrigin> {
        heard.listen { message in message.name == name && message.isNotification ? message.origin : nil }
    }

    /// The messages under every name that begins with `prefix`, from now on, and that a name was cleared.
    public nonisolated func messages(withPrefix prefix: String) -> AsyncStream<HeardMessage> {
        heard.listen { message in message.name.hasPrefix(prefix) ? message : nil }
    }

    /// Whether a peer can be reached now, and how that is known.
    public func reachability(of peer: PeerIdentity) async -> PeerReachability {
        let noted = board.reachability(of: peer)
        guard case .reachable(let evidence) = noted, let lastHeard = await links[peer]?.lastHeard else { return noted }
        return .reachable(
            PeerReachability.Reachable(since: evidence.since, lastHeard: lastHeard, hello: evidence.hello))
    }

    /// The reachability of every peer that has connected, and then each change.
    public nonisolated func reachabilityChanges() -> AsyncStream<ReachabilityChange> {
        board.listen()
    }
}
