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

    package enum Outcome: Equatable, Sendable {
        /// This complete datagram has reached the watch.
        case arrivedAtWatch([UInt8])
        case arrivedAtPhone([UInt8])
        /// No packet arrived for the supervision timeout. The channel is closed, and its datagrams are lost.
        case lost
    }

    private struct Late {
        var outcome: Outcome
        var due: Instant
    }

    private let carriage: Carriage
    private var events: ConnectionEvents?
    private var late: [Late] = []
    private var random: SplitMix64
    package private(set) var faults = WatchFaults()
    /// The time to which the link has advanced; nil while no channel is open. If `advance` is called late, each event still
    /// happens at its own time.
    private var advanced: Instant?

    /// Links with the same seed lose the same packets.
    package init(_ carriage: Carriage, seed: UInt64) {
        self.carriage = carriage
        random = SplitMix64(seed: seed)
    }

    /// Opens a channel. The datagrams of an earlier channel are lost.
    package mutating func open(at now: Instant) {
        late = []
        advanced = now
        if case .events(let cost) = carriage { events = ConnectionEvents(cost, anchor: now) }
    }

    package mutating func close() {
        late = []
        advanced = nil
        events = nil
    }

    package var isEmpty: Bool { late.isEmpty && !isCarrying }

    var isCarrying: Bool { events.map { $0.hasDatagrams || !late.isEmpty } ?? false }

    /// When the last packet ends. Nil without connection events.
    var airEnd: Instant? { events?.airEnd }

    /// The traffic until `now`. It includes the events without data in which the watch listened.
    func traffic(until now: Instant) -> RadioTraffic { events?.traffic(until: now) ?? RadioTraffic() }

    package mutating func sendToPhone(_ bytes: [UInt8], at now: Instant) {
        noteTime(now)
        events?.sendToPhone(bytes, at: now)
        enterPipe(.arrivedAtPhone(bytes), at: now)
    }

    package mutating func sendToWatch(_ bytes: [UInt8], at now: Instant) {
        noteTime(now)
        events?.sendToWatch(bytes)
        enterPipe(.arrivedAtWatch(bytes), at: now)
    }

    private mutating func enterPipe(_ outcome: Outcome, at now: Instant) {
        guard case .pipe(let latency) = carriage, advanced != nil else { return }
        late.append(Late(outcome: outcome, due: now + latency))
    }

    package mutating func wearerActed(at now: Instant) { events?.wearerActed(at: now) }

    package mutating func change(_ faults: WatchFaults, at now: Instant) {
        guard (faults.loss, faults.jitter) != (self.faults.loss, self.faults.jitter) else { return }
        if self.faults.loss < 1 { events?.noteHeard(at: now) }
        self.faults = faults
    }

    /// The time of the next connection event, arrival or supervision timeout. Nil if no datagram is on its way.
    package func nextDue(at now: Instant) -> Instant? {
        earlier(late.first?.due, nextEvent(at: now))
    }

    /// The time of the next connection event with payload. If all packets are lost, the end of the supervision timeout.
    private func nextEvent(at now: Instant) -> Instant? {
        guard let events else { return nil }
        guard faults.loss < 1 else { return events.lastHeard + events.cost.supervisionTimeout }
        return events.nextEvent(at: now)
    }

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

    private mutating func noteTime(_ now: Instant) {
        advanced = advanced.map { max($0, now) }
    }

    /// Performs what is due at `time`. Returns false if the channel is lost.
    private mutating func happen(at time: Instant) -> Bool {
        guard var events else { return true }
        guard faults.loss < 1 else { return false }
        // In the events without data before this one, the ends heard each other.
        if events.follows(time) { events.noteHeard(at: time) }
        let outcome = events.happen(at: time) { nextExchange() }
        self.events = events
        switch outcome {
        case .lost: return time - events.lastHeard < events.cost.supervisionTimeout
        case .heard(let arrivals): keep(arrivals, of: time)
        }
        return true
    }

    private mutating func nextExchange() -> Bool {
        faults.loss == 0 || Double.random(in: 0..<1, using: &random) >= faults.loss
    }

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
