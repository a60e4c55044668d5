import WatchLink

/// The times of a connection's events. The watch requests parameters when `ConnectionParameterPolicy` decides so. The phone's
/// controller agrees, and the new interval takes effect a few events later.
///
/// This type reads no clock: the caller calls `change` at `nextChange`.
struct ConnectionTempo {
    private enum State {
        case inForce(ConnectionPriority)
        /// The watch has requested parameters, which take effect with the event at this time.
        case changing(to: ConnectionPriority, at: Instant)
    }

    private let cost: RadioCost
    private var policy: ConnectionParameterPolicy?
    private var state = State.inForce(.fast)
    /// The time of event 0 at the current interval.
    private(set) var anchor: Instant
    private var listenedBefore = 0

    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        self.anchor = anchor
        guard let rest = cost.rest, cost.interval > .zero else { return }
        var policy = ConnectionParameterPolicy(
            quietTime: rest.after,
            settlingTime: ConnectionParameterPolicy.settlingTime(interval: rest.interval, latency: rest.latency))
        policy.opened(at: anchor)
        policy.requested(.fast, at: anchor)
        self.policy = policy
    }

    var interval: Microseconds {
        switch priority {
        case .fast: cost.interval
        case .slow: cost.rest?.interval ?? cost.interval
        }
    }

    var latency: Int {
        switch priority {
        case .fast: cost.latency
        case .slow: cost.rest?.latency ?? cost.latency
        }
    }

    /// The time of the next change, if nothing happens before it.
    var nextChange: Instant? {
        switch state {
        case .changing(_, let instant): instant
        case .inForce: nextRequest
        }
    }

    /// When the watch next requests parameters; nil if it never does. This type reads no clock, so the time may have passed.
    private var nextRequest: Instant? { policy?.wakeAt(from: .start) }

    mutating func wearerActed(at now: Instant) { policy?.wearerActed(at: now) }

    mutating func carried(_ frame: FrameKind, at now: Instant) { policy?.carried(frame, at: now) }

    /// Makes the next change. Returns whether the event numbers start again at `anchor`.
    mutating func change() -> Bool {
        switch state {
        case .inForce:
            guard let now = nextRequest, let wish = policy?.wish(at: now) else { return false }
            let events = number(of: now) + UInt64(RadioCost.eventsToChange(latency: latency))
            policy?.requested(wish, at: now)
            state = .changing(to: wish, at: anchor + Microseconds(events * interval.count))
            return false
        case .changing(let priority, let instant):
            listenedBefore = listened(until: instant)
            state = .inForce(priority)
            anchor = instant
            return true
        }
    }

    func number(of now: Instant) -> UInt64 {
        let passed = (max(now, anchor) - anchor).count
        return passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
    }

    /// The number of events until `now` in which the watch listens even without data.
    func listened(until now: Instant) -> Int {
        guard interval > .zero else { return 0 }
        return listenedBefore + Int((now - anchor).count / (interval.count * UInt64(latency + 1)))
    }

    private var priority: ConnectionPriority {
        switch state {
        case .inForce(let priority): priority
        case .changing(.fast, _): .slow
        case .changing(.slow, _): .fast
        }
    }
}
