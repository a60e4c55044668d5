import WatchLink

/// The connection events of one channel: what waits to be carried each way, and what the next event carries. It decides and
/// does nothing itself: `VirtualRadio` asks it at the time of an event.
struct ConnectionEvents {
    /// A datagram on its way, and how many of its bytes the events so far have carried.
    private struct Passage {
        var bytes: [UInt8]
        var carried = 0
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
    /// The time of event 0.
    let anchor: Instant
    private var toPhone: [Passage] = []
    private var toWatch: [Passage] = []
    /// The number of the event after the last one that happened.
    private var next: UInt64 = 0
    /// The last event in which both heard each other.
    private(set) var lastHeard: Instant
    /// Bytes of datagrams at the watch's end.
    private(set) var traffic = RadioTraffic()

    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        self.anchor = anchor
        lastHeard = anchor
    }

    /// Whether nothing waits.
    var isEmpty: Bool { toPhone.isEmpty && toWatch.isEmpty }

    mutating func sendToPhone(_ bytes: [UInt8]) {
        traffic.bytesSent += bytes.count
        toPhone.append(Passage(bytes: bytes))
    }

    mutating func sendToWatch(_ bytes: [UInt8]) {
        toWatch.append(Passage(bytes: bytes))
    }

    /// When the next event is that can carry what waits, at `now` or later; nil when nothing waits. The watch sleeps through
    /// as many events as it may, unless it has something to say or the event before carried something.
    func nextEvent(at now: Instant) -> Instant? {
        guard !isEmpty else { return nil }
        guard cost.interval > .zero else { return now }
        let passed = (now - anchor).count
        let due = passed / cost.interval.count + (passed % cost.interval.count == 0 ? 0 : 1)
        var event = max(next, due)
        let stride = UInt64(cost.latency + 1)
        let isAwake = !toPhone.isEmpty || event == next && next > 0
        if !isAwake, event % stride != 0 { event += stride - event % stride }
        return anchor + Microseconds(event * cost.interval.count)
    }

    /// Whether the event at `now` comes after others in which nothing was to be carried.
    func follows(_ now: Instant) -> Bool {
        anchor + Microseconds(next * cost.interval.count) < now
    }

    /// Notes that the two still heard each other at `instant`.
    mutating func noteHeard(at instant: Instant) {
        lastHeard = max(lastHeard, instant)
    }

    /// Has the event at `now` happen.
    mutating func happen(at now: Instant, _ outcome: Outcome) -> Arrivals {
        if cost.interval > .zero { next = (now - anchor).count / cost.interval.count + 1 }
        traffic.events += 1
        switch outcome {
        case .lost: return Arrivals()
        case .heard:
            lastHeard = now
            let arrivals = Arrivals(toPhone: carry(&toPhone), toWatch: carry(&toWatch))
            traffic.bytesReceived += arrivals.toWatch.reduce(0) { $0 + $1.count }
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
            let moved = min(room, passages[0].bytes.count - passages[0].carried)
            passages[0].carried += moved
            room -= moved
            guard passages[0].carried == passages[0].bytes.count else { break }
            arrived.append(passages.removeFirst().bytes)
            // A datagram of no bytes would take no room.
            room -= moved == 0 ? 1 : 0
        }
        return arrived
    }
}
