enum PingState: BitwiseCopyable {
    case none
    /// It was sent at this time and has no answer yet.
    case sent(number: UInt32, at: Instant)
    /// It was sent at this time and answered after the round trip.
    case answered(number: UInt32, at: Instant, roundTrip: Microseconds)

    var nextNumber: UInt32 {
        switch self {
        case .none: 1
        case .sent(let number, _), .answered(let number, _, _): number &+ 1
        }
    }

    var roundTrip: Microseconds? {
        switch self {
        case .none, .sent: nil
        case .answered(_, _, let roundTrip): roundTrip
        }
    }

    var lastSent: Instant? {
        switch self {
        case .none: nil
        case .sent(_, let at), .answered(_, let at, _): at
        }
    }
}

/// The evidence that the peer is alive: when it was last heard, and the pings in both directions.
struct LivenessProbe: BitwiseCopyable {
    var heard: Instant
    var ping = PingState.none
    /// The number of the peer's ping that has no answer yet.
    var pongOwed: UInt32?

    init(heard: Instant) {
        self.heard = heard
    }

    func pingDue(_ timing: LinkTiming) -> Instant {
        max(heard, ping.lastSent ?? heard) + timing.keepAlive
    }

    func lostAt(_ timing: LinkTiming) -> Instant {
        heard + timing.supervision
    }

    /// Records that something arrived. A clock that steps back changes nothing.
    mutating func heard(at now: Instant) {
        heard = max(heard, now)
    }

    /// Records that a pong was sent. A newer ping of the peer still waits for its pong.
    mutating func answeredPing(_ number: UInt32) {
        if pongOwed == number { pongOwed = nil }
    }

    /// Records the answer to the last ping; answers to others are ignored.
    mutating func answered(_ number: UInt32, at now: Instant) {
        switch ping {
        case .sent(number, let at): ping = .answered(number: number, at: at, roundTrip: now - at)
        case .none, .sent, .answered: break
        }
    }
}

/// How long a side waits for its peer.
public struct LinkTiming: Equatable, Sendable, BitwiseCopyable {
    /// The silence after which a side sends a ping.
    public var keepAlive: Microseconds
    /// The silence after which a side closes the link. Longer than `keepAlive`.
    public var supervision: Microseconds
    /// The longest wait for the peer's hello after the transport came up, and for sending a goodbye.
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
