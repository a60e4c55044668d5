import Watch
import WatchLink

/// A simulated radio link between a watch and its phone, with connection events, packet loss, jitter and a supervision
/// timeout.
///
/// It performs no I/O and reads no clock: the caller passes the time to each call. `VirtualRadio` uses it for a
/// simulated phone. `LinkedRadio` puts it in front of another radio.
package struct RadioLink: Sendable {
    package enum Carriage: Sendable {
        /// Each datagram takes this time, in either direction. Faults have no effect.
        case pipe(Microseconds)
        /// Datagrams travel in connection events. If the interval is zero, only faults delay a datagram.
        case events(RadioCost)
    }

    package enum Outcome: Equatable, Sendable {
        case arrivedAtWatch([UInt8])
        case arrivedAtPhone([UInt8])
        /// No packet has arrived for the length of the supervision timeout. The link has closed the channel, and
        /// datagrams on their way are lost.
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
    /// The link's own time; nil while no channel is open. If `advance` is called late, it still performs each event at
    /// the event's own time.
    private var advanced: Instant?

    /// Creates a link without a channel. Links with the same seed lose the same packets and have the same jitter, if
    /// they get the same calls.
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

    /// The time at which the newest packet with payload ends on air. Before the first such packet, the time at which the
    /// channel opened. Nil for a pipe, and while no channel is open.
    var airEnd: Instant? { events?.airEnd }

    /// Returns the traffic from the opening of the channel until `now`. Zero for a pipe.
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

    /// Returns when the caller must next call `advance`: at the next arrival, at the next connection event with data, or at
    /// the end of the supervision timeout. Nil if nothing is due.
    package func nextDue(at now: Instant) -> Instant? {
        earlier(late.first?.due, nextEvent(at: now))
    }

    /// Returns the time of the next connection event with data. If every packet is lost, returns the end of the
    /// supervision timeout.
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

    /// Performs the connection event or the supervision timeout that is due at `time`. Returns false if the connection
    /// is lost.
    private mutating func happen(at time: Instant) -> Bool {
        guard var events else { return true }
        guard faults.loss < 1 else { return false }
        // In the events without data before this event, the watch and the phone received packets.
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
