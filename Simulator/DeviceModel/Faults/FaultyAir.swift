import Watch
import WatchLink

/// When what is sent over slow or faulty air arrives. It decides and does nothing itself; `FaultyRadio` asks it.
///
/// Air that takes time carries datagrams in the events of a Bluetooth connection, so many bytes each, of which the watch sleeps
/// through some when it has nothing to say.
struct FaultyAir {
    /// One direction: the last event that carried something, and the bytes that it has room for still.
    private struct Lane {
        var event: UInt64 = 0
        var room = 0
        var lastArrival = Instant.start
    }

    /// Whether the air takes time when nothing is wrong.
    private enum Pace {
        /// It takes none.
        case instant
        /// Events happen at these times: so many intervals after the channel was opened.
        case events(since: Instant)
    }

    /// A datagram on its way.
    struct Late: Equatable {
        /// What it holds.
        var bytes: [UInt8]
        /// When it arrives.
        var due: Instant
    }

    /// Whether the two hear each other.
    enum Hearing {
        /// They do, at least now and then.
        case heard
        /// They do not, for less than the supervision timeout, or there is no channel over which they could.
        case silent
        /// They have not for so long that the link is dead.
        case over
    }

    private enum Silence {
        case none
        case since(Instant)
    }

    /// On their way to the phone, in order.
    var toPhone: [Late] = []
    /// On their way to the watch, in order.
    private(set) var toWatch: [Late] = []
    private let cost: RadioCost
    private var random: SplitMix64
    private var silence = Silence.none
    private var connection: UInt32?
    private var phoneLane = Lane()
    private var watchLane = Lane()
    private var pace: Pace
    /// When the watch last sent a message, for which the phone needs its database.
    private var asked: Instant?

    /// Air of that cost. Where it takes no time, the events that are lost are those of the memory-LCD watch.
    init(_ cost: RadioCost, seed: UInt64) {
        pace = cost.interval > .zero ? .events(since: .start) : .instant
        self.cost = cost.interval > .zero ? cost : DeviceProfile.memoryLCD.radio
        random = SplitMix64(seed: seed)
    }

    /// Whether everything arrives at once as long as nothing is wrong.
    var isInstant: Bool {
        switch pace {
        case .instant: true
        case .events: false
        }
    }

    /// When the next datagram arrives, nil where none is on its way.
    var nextDue: Instant? {
        [toPhone.first?.due, toWatch.first?.due].compactMap { $0 }.min()
    }

    /// When a link over which nothing is heard is dead.
    var endOfSilence: Instant? {
        switch silence {
        case .none: nil
        case .since(let start): start + cost.supervisionTimeout
        }
    }

    mutating func sendToPhone(_ bytes: [UInt8], _ faults: WatchFaults, at now: Instant) {
        var lane = phoneLane
        let due = arrival(of: bytes, over: &lane, faults, at: now)
        phoneLane = lane
        if let kind = bytes.first, !FrameKind(rawValue: kind).isControl { asked = due }
        toPhone.append(Late(bytes: bytes, due: due))
    }

    mutating func sendToWatch(_ bytes: [UInt8], _ faults: WatchFaults, at now: Instant) {
        var sent = now
        // Signs of life need no database.
        let isAnswer = bytes.first != FrameKind.ping.rawValue && bytes.first != FrameKind.pong.rawValue
        if faults.phone > .zero, isAnswer, let asked { sent = max(sent, asked + faults.phone) }
        var lane = watchLane
        toWatch.append(Late(bytes: bytes, due: arrival(of: bytes, over: &lane, faults, at: sent)))
        watchLane = lane
    }

    /// The next datagram that has arrived by `now`.
    mutating func takeForWatch(at now: Instant) -> [UInt8]? {
        guard let first = toWatch.first, first.due <= now else { return nil }
        return toWatch.removeFirst().bytes
    }

    /// What has become of the channel.
    enum Passage {
        /// It is the same.
        case same
        /// It is a new one.
        case opened
        /// There is none any more.
        case closed
    }

    /// Forgets what is on its way over a channel that is no more.
    mutating func follow(_ state: RadioState, at now: Instant) -> Passage {
        let number: UInt32? =
            switch state {
            case .down: nil
            case .up(let connection, _): connection
            }
        guard number != connection else { return .same }
        clear()
        connection = number
        phoneLane = Lane()
        watchLane = Lane()
        switch pace {
        case .instant: break
        case .events: pace = .events(since: now)
        }
        return number == nil ? .closed : .opened
    }

    /// Forgets what is on its way.
    mutating func clear() {
        toPhone = []
        toWatch = []
        asked = nil
        silence = .none
    }

    /// Whether the two hear each other, where a channel is up or not.
    mutating func silence(_ faults: WatchFaults, isUp: Bool, at now: Instant) -> Hearing {
        guard faults.loss >= 100 else {
            silence = .none
            return .heard
        }
        guard isUp else { return .silent }
        switch silence {
        case .none:
            silence = .since(now)
            return .silent
        case .since(let start): return now - start < cost.supervisionTimeout ? .silent : .over
        }
    }

    /// When `bytes` have arrived that are sent at `now`. What was sent before over the same lane is there before.
    private mutating func arrival(
        of bytes: [UInt8], over lane: inout Lane, _ faults: WatchFaults, at now: Instant
    ) -> Instant {
        var instant = now
        switch pace {
        case .instant: break
        case .events(let start): instant = carry(bytes.count + RadioCost.framing, over: &lane, since: start, at: now)
        }
        lane.lastArrival = max(lane.lastArrival, instant + lateness(faults))
        return lane.lastArrival
    }

    /// Gives so many bytes to the next events of a lane. Returns the time of the last one.
    private func carry(_ count: Int, over lane: inout Lane, since start: Instant, at now: Instant) -> Instant {
        let interval = cost.interval.count
        let passed = (now - start).count
        var event = passed / interval + (passed % interval == 0 ? 0 : 1)
        let stride = UInt64(cost.latency + 1)
        // Both are awake for the event after one that carried something, and while the watch has something to say.
        let isAwake = !toPhone.isEmpty || event <= max(phoneLane.event, watchLane.event) + 1
        if !isAwake, event % stride != 0 { event += stride - event % stride }
        if event > lane.event { lane = Lane(event: event, room: cost.payloadPerEvent, lastArrival: lane.lastArrival) }
        var left = count
        while left > lane.room {
            left -= lane.room
            lane.event += 1
            lane.room = cost.payloadPerEvent
        }
        lane.room -= left
        return start + Microseconds(lane.event * interval)
    }

    /// By how much a datagram is late: for every event that is lost an interval, and the jitter.
    private mutating func lateness(_ faults: WatchFaults) -> Microseconds {
        var late = Microseconds.zero
        // Shorter than what would end the link: that is what a loss of everything does.
        while late + cost.interval < cost.supervisionTimeout,
            faults.loss > 0, Int.random(in: 0..<100, using: &random) < faults.loss
        {
            late = late + cost.interval
        }
        guard faults.jitter > .zero else { return late }
        return late + Microseconds(UInt64.random(in: 0...faults.jitter.count, using: &random))
    }
}
