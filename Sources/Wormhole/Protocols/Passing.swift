/// Sends messages to the other side.
public protocol Passing: Sendable {
    /// Passes a message under a name.
    ///
    /// When this returns, the message is in the store, so a crash no longer loses it. Listeners for the name on this
    /// side receive it too.
    ///
    /// - Parameters:
    ///   - message: encoded as CBOR by its `Codable` conformance. Nil is a notification: it wakes the listeners of the name on
    ///     this side, and on the peers that can be reached now and take interactive messages; nothing is kept of it.
    ///   - delivery: `.latest`, `.queued` or `.interactive`; the others are not supported yet.
    ///   - recipients: one peer or all of them.
    /// - Returns: a handle that reports the fate of the message; nil when there was no message.
    /// - Throws: `.messageTooLarge` where a recipient accepts only smaller ones, with nothing kept for anybody;
    ///   `.notSupportedYet`; `.coding`; `.unknownPeer` where there is no peer to queue the message for; `.queueFull` where
    ///   too many messages wait for every recipient (the copy of one among several fails alone); `.storage`; `.closed`.
    @discardableResult
    func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery, to recipients: Recipients
    ) async throws(WormholeError) -> MessageHandle?

    /// Clears the value that was last passed under a name, on both sides. Messages that are queued stay queued.
    ///
    /// - Throws: `.storage`, `.closed`.
    func clear(_ name: MessageName) async throws(WormholeError)

    /// Clears the value of every name, on both sides.
    ///
    /// - Throws: `.storage`, `.closed`.
    func clearAll() async throws(WormholeError)
}

extension Passing {
    /// Passes a message to every peer.
    @discardableResult
    public func pass<Message: Passable>(
        _ message: Message?, under name: MessageName, delivery: Delivery = .latest
    ) async throws(WormholeError) -> MessageHandle? {
        try await pass(message, under: name, delivery: delivery, to: .everyone)
    }
}
