/// A ping and what became of it.
enum PingState: BitwiseCopyable {
    /// None was sent on this connection.
    case none
    /// The ping of this number was sent at this time and has no answer yet.
    case sent(number: UInt32, at: Instant)
    /// The ping of this number, sent at this time, was answered so much later.
    case answered(number: UInt32, at: Instant, roundTrip: Microseconds)

    /// The number that the next ping has.
    var nextNumber: UInt32 {
        switch self {
        case .none: 1
        case .sent(let number, _), .answered(let number, _, _): number &+ 1
        }
    }

    /// The time from the ping to its answer, where it has one.
    var roundTrip: Microseconds? {
        switch self {
        case .none, .sent: nil
        case .answered(_, _, let roundTrip): roundTrip
        }
    }

    /// When the last ping was sent.
    var lastSent: Instant? {
        switch self {
        case .none: nil
        case .sent(_, let at), .answered(_, let at, _): at
        }
    }
}

/// A pong that the peer waits for.
enum PongDebt: BitwiseCopyable {
    /// No ping waits for an answer.
    case none
    /// The ping of this number does.
    case owed(number: UInt32)
}

/// The evidence that the peer is still there: when it was heard, and the pings in both directions.
struct LivenessProbe: BitwiseCopyable {
    /// When something was last heard.
    var heard: Instant
    /// Our own question.
    var ping = PingState.none
    /// The peer's question.
    var pong = PongDebt.none

    /// A probe of a peer just heard.
    init(heard: Instant) {
        self.heard = heard
    }

    /// When the next ping is due.
    func pingDue(_ timing: LinkTiming) -> Instant {
        max(heard, ping.lastSent ?? heard) + timing.keepAlive
    }

    /// When the peer counts as lost.
    func lostAt(_ timing: LinkTiming) -> Instant {
        heard + timing.supervision
    }

    /// Notes that something arrived. A clock that steps back changes nothing.
    mutating func heard(at now: Instant) {
        heard = max(heard, now)
    }

    /// Notes that our answer to the peer's ping of this number was sent; a newer ping still waits.
    mutating func answeredPing(_ number: UInt32) {
        switch pong {
        case .owed(number): pong = .none
        case .owed, .none: break
        }
    }

    /// Notes the answer to a ping; one to another ping than the last says nothing but that the peer lives.
    mutating func answered(_ number: UInt32, at now: Instant) {
        switch ping {
        case .sent(number, let at): ping = .answered(number: number, at: at, roundTrip: now - at)
        case .none, .sent, .answered: break
        }
    }
}
