import WatchLink

/// The interval and latency of one connection, and the times of its events.
///
/// `ConnectionParameterPolicy` decides when the watch requests other parameters. The phone's controller always agrees.
/// The new parameters take effect a few events after the request.
///
/// This type reads no clock: the caller must call `change` at `nextChange`.
struct ConnectionTempo {
    private enum State {
        case inForce(ConnectionPriority)
        /// The watch has requested the parameters of `to`. They take effect with the connection event at `at`. Until
        /// then, the old ones stay in force.
        case changing(to: ConnectionPriority, at: Instant)
    }

    private let cost: RadioCost
    private var policy: ConnectionParameterPolicy?
    private var state = State.inForce(.fast)
    /// The time of connection event 0. Event n follows n intervals later. The numbers start again at 0 when new
    /// parameters take effect.
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

    /// When the caller must next call `change`; nil if never. This time can change if the wearer acts or a frame is carried.
    var nextChange: Instant? {
        switch state {
        case .changing(_, let instant): instant
        case .inForce: nextRequest
        }
    }

    /// When the watch must next request other parameters; nil if never. This time may be in the past, because this type
    /// reads no clock.
    private var nextRequest: Instant? { policy?.wakeAt(from: .start) }

    mutating func wearerActed(at now: Instant) { policy?.wearerActed(at: now) }

    mutating func carried(_ frame: FrameKind, at now: Instant) { policy?.carried(frame, at: now) }

    /// Makes the change that is due at `nextChange`: the watch requests parameters, or requested parameters take
    /// effect. Returns true if they take effect. Event numbers then start again at `anchor`.
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

    /// Returns the number of events, from the opening of the connection until `now`, that the watch may not sleep
    /// through. It listens in them even without data.
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
