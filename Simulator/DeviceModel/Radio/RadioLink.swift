import Watch
import WatchLink

/// The radio link between a watch and its phone: connection events, loss, jitter and supervision timeout.
///
/// It performs no I/O, and each call passes the time. `VirtualRadio` uses it with a simulated phone on a virtual clock.
/// `LinkedRadio` uses it with another radio on any clock.
package struct RadioLink: Sendable {
    package enum Carriage: Sendable {
        /// Each datagram takes this time in each direction. Faults have no effect.
        case pipe(Microseconds)
        /// Datagrams travel in connection events. If the interval is zero, each arrives at once.
        case events(RadioCost)
    }

    /// The result of time that has passed on the link.
    package enum Outcome: Equatable, Sendable {
        /// A complete datagram has reached the watch, or the phone in the case `arrivedAtPhone`.
        case arrivedAtWatch([UInt8])
        case arrivedAtPhone([UInt8])
        /// No packet arrived for the supervision timeout. The channel is closed, and its datagrams are lost.
        case lost
    }

    private enum Channel {
        case closed
        case pipe(Microseconds)
        case events(ConnectionEvents)
    }

    private struct Late {
        var outcome: Outcome
        var due: Instant
    }

    private let carriage: Carriage
    private var channel = Channel.closed
    private var late: [Late] = []
    private var random: SplitMix64
    package private(set) var faults = WatchFaults()
    /// The time up to which the channel has been advanced. Nil without a channel. If `advance` is called late, each event still
    /// happens at its own time.
    private var advanced: Instant?

    /// Creates a link without a channel. Links with the same seed lose the same packets.
    package init(_ carriage: Carriage, seed: UInt64) {
        self.carriage = carriage
        random = SplitMix64(seed: seed)
    }

    /// Opens a channel. Datagrams of an earlier one are lost.
    package mutating func open(at now: Instant) {
        late = []
        advanced = now
        switch carriage {
        case .pipe(let latency): channel = .pipe(latency)
        case .events(let cost): channel = .events(ConnectionEvents(cost, anchor: now))
        }
    }

    package mutating func close() {
        late = []
        advanced = nil
        channel = .closed
    }

    package var isEmpty: Bool { late.isEmpty && !isCarrying }

    /// Whether datagrams are on their way.
    var isCarrying: Bool {
        switch channel {
        case .closed, .pipe: false
        case .events(let events): events.hasDatagrams || !late.isEmpty
        }
    }

    /// The end of the last packet of the last event. Nil without connection events.
    var airEnd: Instant? {
        switch channel {
        case .closed, .pipe: nil
        case .events(let events): events.airEnd
        }
    }

    /// The channel's traffic until `now`, including events without data in which the watch listened.
    func traffic(until now: Instant) -> RadioTraffic {
        switch channel {
        case .closed, .pipe: RadioTraffic()
        case .events(let events): events.traffic(until: now)
        }
    }

    // MARK: Input

    package mutating func sendToPhone(_ bytes: [UInt8], at now: Instant) {
        noteTime(now)
        switch channel {
        case .closed: break
        case .pipe(let latency): late.append(Late(outcome: .arrivedAtPhone(bytes), due: now + latency))
        case .events(var events):
            events.sendToPhone(bytes, at: now)
            channel = .events(events)
        }
    }

    package mutating func sendToWatch(_ bytes: [UInt8], at now: Instant) {
        noteTime(now)
        switch channel {
        case .closed: break
        case .pipe(let latency): late.append(Late(outcome: .arrivedAtWatch(bytes), due: now + latency))
        case .events(var events):
            events.sendToWatch(bytes)
            channel = .events(events)
        }
    }

    /// Makes a connection at rest fast, because the wearer has acted.
    package mutating func wearerActed(at now: Instant) {
        guard case .events(var events) = channel else { return }
        events.wearerActed(at: now)
        channel = .events(events)
    }

    package mutating func change(_ faults: WatchFaults, at now: Instant) {
        guard (faults.loss, faults.jitter) != (self.faults.loss, self.faults.jitter) else { return }
        if case .events(var events) = channel, self.faults.loss < 1 {
            events.noteHeard(at: now)
            channel = .events(events)
        }
        self.faults = faults
    }

    // MARK: Time

    /// The time of the next event, arrival or supervision timeout. Nil if no datagram is on its way.
    package func nextDue(at now: Instant) -> Instant? {
        earlier(late.first?.due, nextEvent(at: now))
    }

    /// The time of the next event with payload. If all packets are lost, the end of the supervision timeout.
    private func nextEvent(at now: Instant) -> Instant? {
        guard case .events(let events) = channel else { return nil }
        guard faults.loss < 1 else { return events.lastHeard + events.cost.supervisionTimeout }
        return events.nextEvent(at: now)
    }

    /// Advances to `now`. Returns the arrivals and losses in the order in which they happened.
    package mutating func advance(to now: Instant) -> [Outcome] {
        var outcomes: [Outcome] = []
        while let advanced, let due = nextDue(at: advanced), due <= now {
            noteTime(due)
            if let first = late.first, first.due <= due {
                outcomes.append(late.removeFirst().outcome)
                continue
            }
            guard happen(at: due) else {
                close()
                outcomes.append(.lost)
                return outcomes
            }
        }
        noteTime(now)
        return outcomes
    }

    /// Advances the time. Never moves it back.
    private mutating func noteTime(_ now: Instant) {
        advanced = advanced.map { max($0, now) }
    }

    /// Runs the event at `time`. Returns false if the channel is lost.
    private mutating func happen(at time: Instant) -> Bool {
        guard case .events(var events) = channel else { return true }
        guard faults.loss < 1 else { return false }
        // In the events without data before this one, the ends heard each other.
        if events.follows(time) { events.noteHeard(at: time) }
        let outcome = events.happen(at: time) { nextExchange() }
        channel = .events(events)
        switch outcome {
        case .lost: return time - events.lastHeard < events.cost.supervisionTimeout
        case .heard(let arrivals): keep(arrivals, of: time)
        }
        return true
    }

    private mutating func nextExchange() -> Bool {
        faults.loss == 0 || Double.random(in: 0..<1, using: &random) >= faults.loss
    }

    /// Keeps the datagrams of the event at `time` until they arrive.
    private mutating func keep(_ arrivals: [ConnectionEvents.Arrival], of time: Instant) {
        let jitter = faults.jitter.count
        let lateness = jitter == 0 ? 0 : UInt64.random(in: 0...jitter, using: &random)
        for arrival in arrivals {
            // A datagram never arrives before an earlier one.
            let due = max(late.last?.due ?? time, time + arrival.after + Microseconds(lateness))
            late.append(Late(outcome: arrival.outcome, due: due))
        }
    }
}
