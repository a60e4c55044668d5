import WatchLink

/// The times of a connection's events. The watch requests parameters as `ConnectionParameterPolicy` decides, the phone's
/// controller agrees, and the new interval comes into force a few events later.
///
/// It has no clock: `change` does what is due at `nextChange`.
struct ConnectionTempo {
    private enum State {
        /// The parameters of this priority are in force.
        case inForce(ConnectionPriority)
        /// The parameters of this priority were requested and come into force at this event.
        case changing(to: ConnectionPriority, at: Instant)
    }

    private let cost: RadioCost
    /// Nil for a connection whose parameters never change.
    private var policy: ConnectionParameterPolicy?
    private var state = State.inForce(.fast)
    /// The time of event 0 at the present interval.
    private(set) var anchor: Instant
    /// Events that the watch has listened in before that.
    private var listenedBefore = 0

    /// A connection that is opened at `anchor`, with the fast parameters in force.
    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        self.anchor = anchor
        guard let rest = cost.rest, cost.interval > .zero else { return }
        var policy = ConnectionParameterPolicy(
            quietTime: rest.after,
            settlingTime: ConnectionParameterPolicy.settlingTime(interval: rest.interval, latency: rest.latency))
        policy.opened(at: anchor)
        _ = policy.requested(.fast, at: anchor, .requested)
        self.policy = policy
    }

    /// The time from one event to the next.
    var interval: Microseconds {
        switch priority {
        case .fast: cost.interval
        case .slow: cost.rest?.interval ?? cost.interval
        }
    }

    /// Events in a row that the watch may sleep through.
    var latency: Int {
        switch priority {
        case .fast: cost.latency
        case .slow: cost.rest?.latency ?? cost.latency
        }
    }

    /// When the watch makes its next request, or a change comes into force, if nothing happens until then; nil for never.
    var nextChange: Instant? {
        switch state {
        case .changing(_, let instant): instant
        case .inForce: nextRequest
        }
    }

    /// When the watch makes its next request. Every change is done at its time, so none has been slept through.
    private var nextRequest: Instant? { policy?.wakeAt(from: .start) }

    /// The wearer did something. Every change until `now` has been done.
    mutating func wearerActed(at now: Instant) { policy?.wearerActed(at: now) }

    /// A frame was sent or received. Every change until `now` has been done.
    mutating func carried(_ frame: FrameKind, at now: Instant) { policy?.carried(frame, at: now) }

    /// Does the next change, whose time has come. Returns whether events are counted anew from `anchor` on.
    mutating func change() -> Bool {
        switch state {
        case .inForce:
            guard let now = nextRequest, let wish = policy?.wish(at: now) else { return false }
            let events = number(of: now) + UInt64(RadioCost.eventsToChange(latency: latency))
            _ = policy?.requested(wish, at: now, .requested)
            state = .changing(to: wish, at: anchor + Microseconds(events * interval.count))
            return false
        case .changing(let priority, let instant):
            listenedBefore = listened(until: instant)
            state = .inForce(priority)
            anchor = instant
            return true
        }
    }

    /// The number of the first event at `now` or later.
    func number(of now: Instant) -> UInt64 {
        let passed = (max(now, anchor) - anchor).count
        return passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
    }

    /// The events that the watch would have listened in until `now` with nothing to carry.
    func listened(until now: Instant) -> Int {
        guard interval > .zero else { return 0 }
        return listenedBefore + Int((now - anchor).count / (interval.count * UInt64(latency + 1)))
    }

    /// The priority whose parameters are in force.
    private var priority: ConnectionPriority {
        switch state {
        case .inForce(let priority): priority
        case .changing(.fast, _): .slow
        case .changing(.slow, _): .fast
        }
    }
}
