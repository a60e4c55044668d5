/// How long a side waits for its peer.
public struct LinkTiming: Equatable, Sendable, BitwiseCopyable {
    /// The silence after which a ping is sent.
    public var keepAlive: Microseconds
    /// The silence after which the link counts as lost and is closed. Longer than `keepAlive`.
    public var supervision: Microseconds
    /// The time from the transport coming up within which the peer's hello has to arrive. A goodbye that cannot be sent
    /// is given up after the same time.
    public var helloTimeout: Microseconds

    /// The times; by default a ping after 2 s, loss after 6 s, so that two lost pings are survived, and 3 s for the
    /// hello.
    public init(
        keepAlive: Microseconds = .seconds(2), supervision: Microseconds = .seconds(6),
        helloTimeout: Microseconds = .seconds(3)
    ) {
        self.keepAlive = keepAlive
        self.supervision = supervision
        self.helloTimeout = helloTimeout
    }
}
