/// Receives messages, from the other side and from this one.
public protocol Listening: Sendable {
    /// The value that was last passed under a name by `.latest`, here or by any peer, as far as this side knows: the one that has
    /// arrived last, where a peer's that is sent again after its restart keeps its place. Nil where there is none or it was
    /// cleared.
    ///
    /// - Throws: `.coding` where the value is of another type; `.storage`.
    func value<Message: Passable>(of type: Message.Type, under name: MessageName) async throws(WormholeError)
        -> Message?

    /// The messages under one name, from now on, in order. Any number of listeners may listen to a name, and each gets
    /// every message; a slow one misses none. What a restarted peer sends again is not heard again.
    ///
    /// A message of another type is skipped, with a line in the log. The sequence ends when the endpoint closes. A
    /// listener receives a message after it was applied: a program that must not lose one to its own crash applies it in
    /// the handler of its `MessageStore` instead.
    func messages<Message: Passable>(of type: Message.Type, under name: MessageName) -> AsyncStream<Message>

    /// The notifications under one name, from now on: who has passed no value under it. Several that come close together may be one.
    func notifications(under name: MessageName) -> AsyncStream<MessageOrigin>

    /// The messages under every name that begins with `prefix`, from now on, and each such name that was cleared; all names for the
    /// empty one.
    func messages(withPrefix prefix: String) -> AsyncStream<HeardMessage>

    /// Whether a peer can be reached now, and how that is known; `.neverConnected` for an unknown peer.
    func reachability(of peer: PeerIdentity) async -> PeerReachability

    /// The reachability of every peer that has connected since the start, and then each change.
    func reachabilityChanges() -> AsyncStream<ReachabilityChange>
}
