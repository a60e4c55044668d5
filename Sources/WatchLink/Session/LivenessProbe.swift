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

    /// Records that a frame of the peer has arrived. If `now` is before the previous frame, nothing changes.
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
    /// The time without a frame from the peer after which a side sends a ping. While nothing arrives, the side sends further
    /// pings at this interval.
    public var keepAlive: Microseconds
    /// A side closes the link if no frame has arrived from the peer for this time. It must be longer than `keepAlive`.
    public var supervision: Microseconds
    /// The maximum time from when the transport comes up until the peer's hello arrives. Also the maximum time from when a side
    /// begins to close the link until it has sent its goodbye.
    public var helloTimeout: Microseconds

    /// By default, a side sends a ping after 2 s without a frame, closes the link after 6 s without a frame, and waits 3 s for
    /// the hello. It sends pings at 2 s and at 4 s, so the link survives one lost ping.
    public init(
        keepAlive: Microseconds = .seconds(2), supervision: Microseconds = .seconds(6),
        helloTimeout: Microseconds = .seconds(3)
    ) {
        self.keepAlive = keepAlive
        self.supervision = supervision
        self.helloTimeout = helloTimeout
    }
}
