import WatchLink

/// The times of a connection's events. The watch requests parameters as `ConnectionParameterPolicy` decides, the phone's
/// controller agrees, and the new interval comes into force a few events later.
///
/// It has no clock: `change` does what is due at `nextChange`.
struct ConnectionTempo {
    private enum State {
        case inForce(ConnectionPriority)
        /// They were requested and come into force at this event.
        case changing(to: ConnectionPriority, at: Instant)
    }

    private let cost: RadioCost
    /// Nil if the parameters never change.
    private var policy: ConnectionParameterPolicy?
    private var state = State.inForce(.fast)
    /// The time of event 0 at the present interval.
    private(set) var anchor: Instant
    private var listenedBefore = 0

    /// A connection that opens at `anchor` with the fast parameters.
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

    /// The next request of the watch or change of parameters, if nothing happens before; nil for never.
    var nextChange: Instant? {
        switch state {
        case .changing(_, let instant): instant
        case .inForce: nextRequest
        }
    }

    /// Every change is done at its time, so none has been slept through.
    private var nextRequest: Instant? { policy?.wakeAt(from: .start) }

    /// Every change until `now` has been done, as for `carried`.
    mutating func wearerActed(at now: Instant) { policy?.wearerActed(at: now) }

    /// For a frame either way.
    mutating func carried(_ frame: FrameKind, at now: Instant) { policy?.carried(frame, at: now) }

    /// Does the next change, whose time has come. Returns whether events count anew from `anchor`.
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

    /// The first event at `now` or later.
    func number(of now: Instant) -> UInt64 {
        let passed = (max(now, anchor) - anchor).count
        return passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
    }

    /// The events until `now` in which the watch would have listened with nothing to carry.
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
