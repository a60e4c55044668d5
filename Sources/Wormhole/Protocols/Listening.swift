/// What hears messages, from the other side and from this one.
public protocol Listening: Sendable {
    /// The value that was last passed under a name by `.latest`, from either side, or nil where there is none or it was
    /// cleared.
    ///
    /// - Throws: `.coding` where the value is of another type; `.storage`.
    func value<Message: Passable>(of type: Message.Type, under name: MessageName) async throws(WormholeError)
        -> Message?

    /// The messages under one name, from now on. Any number of listeners may listen to a name, each gets every message.
    ///
    /// A message that is not of this type is left out, with a line in the log. The sequence ends when the endpoint
    /// closes. A listener receives a message after it was applied: a program that must not lose one to its own crash
    /// applies it in its store (`Persisting.apply`) and not here.
    func messages<Message: Passable>(of type: Message.Type, under name: MessageName) -> MessageStream<Message>

    /// The messages under every name that begins with `prefix`, from now on; all messages for the empty one.
    func messages(withPrefix prefix: String) -> MessageStream<HeardMessage>

    /// Whether a peer can be reached just now, and how that is known; a peer that never was here is `.neverConnected`.
    func reachability(of peer: PeerIdentity) async -> PeerReachability

    /// The reachability of every peer that has connected since the start, and then each change.
    func reachabilityChanges() -> MessageStream<ReachabilityChange>
}
