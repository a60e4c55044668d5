/// How long a side waits for its peer.
public struct LinkTiming: Equatable, Sendable, BitwiseCopyable {
    /// The silence after which a side sends a ping.
    public var keepAlive: Microseconds
    /// The silence after which a side closes the link. Longer than `keepAlive`.
    public var supervision: Microseconds
    /// The time for the peer's hello after the transport came up, and for sending a goodbye.
    public var helloTimeout: Microseconds

    /// By default a ping after 2 s, 3 s for the hello, and loss after 6 s, so that a link survives two lost pings.
    public init(
        keepAlive: Microseconds = .seconds(2), supervision: Microseconds = .seconds(6),
        helloTimeout: Microseconds = .seconds(3)
    ) {
        self.keepAlive = keepAlive
        self.supervision = supervision
        self.helloTimeout = helloTimeout
    }
}
