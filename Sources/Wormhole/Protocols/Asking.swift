import WatchLink

/// Sends messages that are answered at once, or not at all, and answers those of the other side.
public protocol Asking: Sendable {
    /// Asks a peer something, and waits for its answer. Nothing is stored, and nothing is sent twice.
    ///
    /// - Parameters:
    ///   - message: encoded as CBOR by its `Codable` conformance.
    ///   - name: what the peer answers by.
    ///   - type: what the answer is to be.
    ///   - peer: who is asked; a watch asks `.phone`.
    ///   - limit: the time for the answer, from the moment at which the peer is reachable.
    ///   - reach: whether to wait for the peer.
    /// - Throws: `.unreachable` at once, or when the time to wait for the peer is over, and where the link ends before the
    ///   answer; `.noAnswer`; `.messageTooLarge`; `.notTaken` by a peer that takes no such messages; `.tooManyOpen`; `.coding`;
    ///   `.cancelled` with the task; `.closed`.
    nonisolated(nonsending) func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity,
        within limit: Microseconds, reaching reach: Reach
    ) async throws(WormholeError) -> Answer

    /// Tells a peer something, and waits until it has been taken: whoever answers the name has returned.
    ///
    /// - Throws: as `ask`.
    nonisolated(nonsending) func tell<Message: Passable>(
        _ message: Message, under name: MessageName, to peer: PeerIdentity, within limit: Microseconds,
        reaching reach: Reach
    ) async throws(WormholeError)

    /// Answers everything that peers ask under a name, until the registration is ended.
    ///
    /// - Parameter body: gets the message and who asks. It runs for each message by itself, and begins on the thread that the
    ///   message arrived on, which serves other links as well: what blocks or computes for long is for an actor or a
    ///   `@concurrent` function that it calls. One that takes longer than the asker waits is cancelled, and its answer dropped. What it throws is `.failed` for the asker, and a line in the log.
    /// - Throws: `.answered` where somebody answers the name already.
    func answer<Message: Passable, Answer: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Answer
    ) throws(WormholeError) -> AnswerRegistration
}

/// Whether whoever asks waits for a peer that cannot be reached.
public enum Reach: Equatable, Sendable {
    /// No: it is an error.
    case now
    /// Until the peer is reachable, for this time at most.
    case within(Microseconds)
}

extension Asking {
    /// Asks a peer that is reachable now, for two seconds.
    nonisolated(nonsending) public func ask<Message: Passable, Answer: Passable>(
        _ message: Message, under name: MessageName, for type: Answer.Type, of peer: PeerIdentity
    ) async throws(WormholeError) -> Answer {
        try await ask(message, under: name, for: type, of: peer, within: .seconds(2), reaching: .now)
    }

    /// Tells a peer that is reachable now, within two seconds.
    nonisolated(nonsending) public func tell<Message: Passable>(
        _ message: Message, under name: MessageName, to peer: PeerIdentity
    ) async throws(WormholeError) {
        try await tell(message, under: name, to: peer, within: .seconds(2), reaching: .now)
    }

    /// Takes everything that peers tell under a name; whoever asks for a value gets `true`.
    public func answer<Message: Passable>(
        _ name: MessageName, of type: Message.Type,
        with body: nonisolated(nonsending) @escaping @Sendable (Message, PeerIdentity) async throws -> Void
    ) throws(WormholeError) -> AnswerRegistration {
        try answer(name, of: type) { message, peer in
            try await body(message, peer)
            return true
        }
    }
}
