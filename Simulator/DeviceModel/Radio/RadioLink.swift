import Watch
import WatchLink

/// The radio link between a watch and its phone: connection events, loss, jitter, and the supervision timeout.
///
/// Time is an argument, and it does no input or output. `VirtualRadio` uses it on a virtual clock with a simulated phone at the
/// other end. `LinkedRadio` uses it on any clock with another radio there.
package struct RadioLink: Sendable {
    package enum Carriage: Sendable {
        /// Each datagram takes this long in each direction, and faults do not apply.
        case pipe(Microseconds)
        /// In connection events. With an interval of zero each datagram arrives at once.
        case events(RadioCost)
    }

    /// An event in the time that has passed.
    package enum Outcome: Equatable, Sendable {
        /// A complete datagram, as for `arrivedAtPhone`.
        case arrivedAtWatch([UInt8])
        case arrivedAtPhone([UInt8])
        /// No packet was heard for the supervision timeout. The channel and the datagrams in it are gone.
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
    /// The time up to which the channel was advanced; nil without a channel. Even if a call is late, every event happens at its
    /// own time.
    private var advanced: Instant?

    /// The same seed loses the same packets.
    package init(_ carriage: Carriage, seed: UInt64) {
        self.carriage = carriage
        random = SplitMix64(seed: seed)
    }

    /// Opens a channel. The datagrams of an earlier one are lost.
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

    /// Whether datagrams wait for a connection event or are partly carried.
    var isCarrying: Bool {
        switch channel {
        case .closed, .pipe: false
        case .events(let events): events.hasDatagrams || !late.isEmpty
        }
    }

    /// The end of the last packet of the last event; nil without events.
    var airEnd: Instant? {
        switch channel {
        case .closed, .pipe: nil
        case .events(let events): events.airEnd
        }
    }

    /// The channel's traffic until `now`, including idle events in which the watch listened.
    func traffic(until now: Instant) -> RadioTraffic {
        switch channel {
        case .closed, .pipe: RadioTraffic()
        case .events(let events): events.traffic(until: now)
        }
    }

    // MARK: What happens

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

    /// Makes a connection at rest fast.
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

    /// The next event, arrival or supervision timeout; nil while nothing is on its way.
    package func nextDue(at now: Instant) -> Instant? {
        earlier(late.first?.due, nextEvent(at: now))
    }

    /// The next event with payload. If all packets are lost, the end of the supervision timeout.
    private func nextEvent(at now: Instant) -> Instant? {
        guard case .events(let events) = channel else { return nil }
        guard faults.loss < 1 else { return events.lastHeard + events.cost.supervisionTimeout }
        return events.nextEvent(at: now)
    }

    /// Advances to `now`. Returns arrivals and losses, in order.
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

    /// Advances the time, never back.
    private mutating func noteTime(_ now: Instant) {
        advanced = advanced.map { max($0, now) }
    }

    /// Performs the event at `time`. Returns false if the channel is lost.
    private mutating func happen(at time: Instant) -> Bool {
        guard case .events(var events) = channel else { return true }
        guard faults.loss < 1 else { return false }
        // The events since the last one carried nothing, and the two ends heard each other in them.
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
            // A datagram never overtakes an earlier one.
            let due = max(late.last?.due ?? time, time + arrival.after + Microseconds(lateness))
            late.append(Late(outcome: arrival.outcome, due: due))
        }
    }
}
