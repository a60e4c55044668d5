struct LivenessProbe: BitwiseCopyable {
    var heard: Instant
    var lastPing: (number: UInt32, sentAt: Instant)?
    /// The number in the peer's newest ping, while this side still owes the pong; otherwise nil.
    var unansweredPing: UInt32?

    var nextPing: UInt32 { (lastPing?.number ?? 0) &+ 1 }

    func pingDue(_ timing: LinkTiming) -> Instant {
        max(heard, lastPing?.sentAt ?? heard) + timing.keepAlive
    }

    func lostAt(_ timing: LinkTiming) -> Instant {
        heard + timing.supervision
    }

    /// Records a frame of the peer. A clock that steps back changes nothing.
    mutating func heard(at now: Instant) {
        heard = max(heard, now)
    }

    /// Records that a pong was sent. If the peer has sent a newer ping, that ping still waits for its pong.
    mutating func answeredPing(_ number: UInt32) {
        if unansweredPing == number { unansweredPing = nil }
    }
}

/// How long a side waits for its peer.
public struct LinkTiming: Equatable, Sendable, BitwiseCopyable {
    /// The silence after which a side sends a ping.
    public var keepAlive: Microseconds
    /// The silence after which a side closes the link. It is longer than `keepAlive`.
    public var supervision: Microseconds
    /// The longest wait for the peer's hello after the transport came up, and the longest wait to send a goodbye.
    public var helloTimeout: Microseconds

    /// By default a side sends a ping after 2 s, closes the link after 6 s, and waits 3 s for the hello. A link then
    /// survives two lost pings.
    public init(
        keepAlive: Microseconds = .seconds(2), supervision: Microseconds = .seconds(6),
        helloTimeout: Microseconds = .seconds(3)
    ) {
        self.keepAlive = keepAlive
        self.supervision = supervision
        self.helloTimeout = helloTimeout
    }
}
