/// How long a side waits for the other.
public struct LinkTiming: Equatable, Sendable, BitwiseCopyable {
    /// After hearing nothing for so long, a ping is sent.
    public var keepAlive: Microseconds
    /// After hearing nothing for so long, the link counts as lost and is closed. Longer than `keepAlive`.
    public var supervision: Microseconds
    /// So long after the transport came up the peer's hello has to be there; a goodbye is given as long to leave.
    public var helloTimeout: Microseconds

    /// Times; by default a ping after 2 s, loss after 6 s, so that two lost pings are survived, and 3 s for the hello.
    public init(
        keepAlive: Microseconds = .seconds(2), supervision: Microseconds = .seconds(6),
        helloTimeout: Microseconds = .seconds(3)
    ) {
        self.keepAlive = keepAlive
        self.supervision = supervision
        self.helloTimeout = helloTimeout
    }
}
