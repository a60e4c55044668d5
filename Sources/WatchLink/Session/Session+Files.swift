extension Session {
    /// Whether the shell may send frames of files: messages flow, the peer has our hello, and both sides take files.
    public var mayTransfer: Bool {
        mayExchange && limits.kinds.include(.files) && phase.peer?.limits.kinds.include(.files) ?? false
    }

    /// The longest frame in bytes that the peer and the transport take; nil unless messages flow.
    public var largestFrame: Int? {
        guard let peer = phase.peer else { return nil }
        return Int(truncatingIfNeeded: min(min(progress.maximumSDU, peer.limits.largestSDU), 0x7FFF_FFFF))
    }
}
