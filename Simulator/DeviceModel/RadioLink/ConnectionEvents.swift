import WatchLink

/// The connection events of one channel: what waits to be carried each way, and what the next event carries.
struct ConnectionEvents {
    /// A datagram on its way, and how many bytes of it and of its framing the events so far have carried.
    private struct Passage {
        var bytes: [UInt8]
        var carried = 0

        var rest: Int { bytes.count + RadioCost.framing - carried }
    }

    /// What an event has brought to its end.
    struct Arrivals: Equatable {
        /// Datagrams that are whole at the phone now.
        var toPhone: [[UInt8]] = []
        /// Datagrams that are whole at the watch now.
        var toWatch: [[UInt8]] = []
    }

    /// How an event goes.
    enum Outcome {
        /// Both hear each other.
        case heard
        /// The link layer sends everything again in the next event.
        case lost
    }

    let cost: RadioCost
    private var tempo: ConnectionTempo
    private var toPhone: [Passage] = []
    private var toWatch: [Passage] = []
    /// The number of the event after the last one that happened.
    private var next: UInt64 = 0
    /// Where events take no time, when a lost one is repeated.
    private var notBefore: Instant?
    /// The last event in which both heard each other.
    private(set) var lastHeard: Instant
    /// Bytes of datagrams at the watch's end.
    private(set) var traffic = RadioTraffic()

    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        tempo = ConnectionTempo(cost, anchor: anchor)
        lastHeard = anchor
    }

    var isEmpty: Bool { toPhone.isEmpty && toWatch.isEmpty }

    mutating func sendToPhone(_ bytes: [UInt8], at now: Instant) {
        note(bytes, at: now)
        traffic.bytesSent += bytes.count
        toPhone.append(Passage(bytes: bytes))
    }

    mutating func sendToWatch(_ bytes: [UInt8]) {
        toWatch.append(Passage(bytes: bytes))
    }

    /// Notes that the wearer did something, which the watch wants the connection to be fast for.
    mutating func wearerActed(at now: Instant) {
        advance(to: now)
        tempo.wearerActed(at: now)
    }

    /// When the next event is that can carry what waits, at `now` or later; nil when nothing waits. The watch sleeps
    /// through as many events as it may, unless it has something to say or the event before carried something.
    func nextEvent(at now: Instant) -> Instant? {
        guard !isEmpty else { return nil }
        guard cost.interval > .zero else { return max(now, notBefore ?? now) }
        // Mostly the pace does not change until then, and nothing has to be copied.
        let event = nextEventAtPresentPace(at: max(now, tempo.anchor))
        guard let change = tempo.nextChange, change <= event else { return event }
        var later = self
        while true {
            let event = later.nextEventAtPresentPace(at: max(now, later.tempo.anchor))
            guard let change = later.tempo.nextChange, change <= event else { return event }
            later.change()
        }
    }

    private func nextEventAtPresentPace(at now: Instant) -> Instant {
        var event = max(next, tempo.number(of: now))
        let stride = UInt64(tempo.latency + 1)
        let isAwake = !toPhone.isEmpty || event == next && next > 0
        if !isAwake, event % stride != 0 { event += stride - event % stride }
        return tempo.anchor + Microseconds(event * tempo.interval.count)
    }

    /// Whether the event at `now` comes after others in which nothing was to be carried.
    func follows(_ now: Instant) -> Bool {
        tempo.anchor + Microseconds(next * tempo.interval.count) < now
    }

    /// What was carried until `now`, and the events that the watch listened in besides.
    func traffic(until now: Instant) -> RadioTraffic {
        var later = self
        later.advance(to: now)
        var sum = traffic
        sum.events = max(sum.events, later.tempo.listened(until: now))
        return sum
    }

    /// Brings the pace up to a time.
    private mutating func advance(to now: Instant) {
        while let change = tempo.nextChange, change <= now { self.change() }
    }

    private mutating func change() {
        guard tempo.change() else { return }
        next = 0
        // They met until now, with nothing to say.
        if isEmpty { noteHeard(at: tempo.anchor) }
    }

    /// Notes a datagram that was sent or received, for the policy of the connection's parameters.
    private mutating func note(_ datagram: [UInt8], at now: Instant) {
        advance(to: now)
        if let kind = datagram.first { tempo.carried(FrameKind(rawValue: kind), at: now) }
    }

    /// Notes that the two still heard each other at `instant`.
    mutating func noteHeard(at instant: Instant) {
        lastHeard = max(lastHeard, instant)
    }

    /// Has the event at `now` happen.
    mutating func happen(at now: Instant, _ outcome: Outcome) -> Arrivals {
        advance(to: now)
        if cost.interval > .zero { next = tempo.number(of: now) + 1 }
        traffic.events += 1
        switch outcome {
        case .lost:
            if cost.interval == .zero { notBefore = now + DeviceProfile.memoryLCD.radio.interval }
            return Arrivals()
        case .heard:
            lastHeard = now
            let arrivals = Arrivals(toPhone: carry(&toPhone), toWatch: carry(&toWatch))
            traffic.bytesReceived += arrivals.toWatch.reduce(0) { $0 + $1.count }
            for datagram in arrivals.toWatch { note(datagram, at: now) }
            return arrivals
        }
    }

    /// Moves the oldest bytes on, as many as an event carries. Returns the datagrams that are whole.
    private func carry(_ passages: inout [Passage]) -> [[UInt8]] {
        guard cost.interval > .zero else {
            defer { passages = [] }
            return passages.map(\.bytes)
        }
        var room = cost.payloadPerEvent
        var arrived: [[UInt8]] = []
        while room > 0, !passages.isEmpty {
            let moved = min(room, passages[0].rest)
            passages[0].carried += moved
            room -= moved
            guard passages[0].rest == 0 else { break }
            arrived.append(passages.removeFirst().bytes)
        }
        return arrived
    }
}
