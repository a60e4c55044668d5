import WatchLink

/// When the events of a connection are, as the watch asks for another pace and the phone's controller agrees: fast
/// while somebody does something or anything but keep-alives is carried, slower at rest.
///
/// It goes by what BluetoothBridge's `ConnectionParameterPolicy` asks for. It decides nothing by a clock of its own:
/// `advance` brings it up to a time.
struct ConnectionTempo {
    /// Which of the two paces of a connection.
    private enum Pace {
        case used
        case resting
    }

    private enum State {
        /// This pace, which was asked for at this time.
        case steady(Pace, asked: Instant)
        /// From this event on, it is the other pace.
        case changing(to: Pace, asked: Instant, at: Instant)
    }

    private let cost: RadioCost
    private var state: State
    /// When there was last cause to be fast.
    private var lastCause: Instant
    /// The time of event 0 at the present pace.
    private(set) var anchor: Instant
    /// Events that the watch has listened in before that.
    private var listenedBefore = 0

    /// A connection that is opened at `anchor`, which is cause to be fast.
    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        self.anchor = anchor
        lastCause = anchor
        state = .steady(.used, asked: anchor)
    }

    /// The time from one event to the next.
    var interval: Microseconds { interval(of: pace) }

    /// Events in a row that the watch may sleep through.
    var latency: Int { latency(of: pace) }

    /// When something is next decided, or a change comes into force, if nothing happens until then; nil for never.
    var nextChange: Instant? {
        guard let rest = cost.rest, cost.interval > .zero else { return nil }
        switch state {
        case .changing(_, _, let instant): return instant
        case .steady(.used, let asked): return max(lastCause + rest.after, asked + settlingTime(rest))
        case .steady(.resting, let asked):
            let ask = max(lastCause, asked + settlingTime(rest))
            return lastCause > asked && ask < lastCause + rest.after ? ask : nil
        }
    }

    /// Notes that there is cause to be fast. `advance` has been called with that time.
    mutating func cause(at now: Instant) { lastCause = max(lastCause, now) }

    /// Does the next change, the time of which has come. Returns whether events are counted anew from `anchor` on.
    mutating func change() -> Bool {
        guard let now = nextChange else { return false }
        switch state {
        case .steady(let pace, _):
            let events = number(of: now) + UInt64(RadioCost.eventsToChange(latency: latency))
            let other: Pace =
                switch pace {
                case .used: .resting
                case .resting: .used
                }
            state = .changing(to: other, asked: now, at: anchor + Microseconds(events * interval.count))
            return false
        case .changing(let pace, let asked, let instant):
            listenedBefore = listened(until: instant)
            state = .steady(pace, asked: asked)
            anchor = instant
            return true
        }
    }

    /// The number of the first event at `now` or later.
    func number(of now: Instant) -> UInt64 {
        let passed = (max(now, anchor) - anchor).count
        return passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
    }

    /// The events that the watch has listened in until `now`, were there nothing to carry.
    func listened(until now: Instant) -> Int {
        guard interval > .zero else { return 0 }
        return listenedBefore + Int((now - anchor).count / (interval.count * UInt64(latency + 1)))
    }

    private var pace: Pace {
        switch state {
        case .steady(let pace, _): pace
        case .changing(.used, _, _): .resting
        case .changing(.resting, _, _): .used
        }
    }

    private func interval(of pace: Pace) -> Microseconds {
        switch pace {
        case .used: cost.interval
        case .resting: cost.rest?.interval ?? cost.interval
        }
    }

    private func latency(of pace: Pace) -> Int {
        switch pace {
        case .used: cost.latency
        case .resting: cost.rest?.latency ?? cost.latency
        }
    }

    /// How long a change is given before the next is asked for: that of `ConnectionParameterPolicy`, six events that
    /// the watch must not sleep through at the slow pace.
    private func settlingTime(_ rest: RadioCost.Rest) -> Microseconds {
        Microseconds(rest.interval.count * UInt64(6 * (rest.latency + 1)))
    }
}
