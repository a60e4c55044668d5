import Watch
import WatchLink

/// When what is sent over faulty air arrives. It decides and does nothing itself; `FaultyRadio` asks it.
struct FaultyAir {
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
    private var random: SeededRandom
    private var silence = Silence.none
    private var connection: UInt32?
    private var lastToPhone = Instant.start
    private var lastToWatch = Instant.start
    /// When the watch last sent a message, for which the phone needs its database.
    private var asked: Instant?

    init(_ cost: RadioCost, seed: UInt64) {
        self.cost = cost
        random = SeededRandom(seed: seed)
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
        lastToPhone = max(lastToPhone, now + lateness(faults))
        if let kind = bytes.first, !FrameKind(rawValue: kind).isControl { asked = lastToPhone }
        toPhone.append(Late(bytes: bytes, due: lastToPhone))
    }

    mutating func sendToWatch(_ bytes: [UInt8], _ faults: WatchFaults, at now: Instant) {
        var due = now + lateness(faults)
        // Signs of life need no database.
        let isAnswer = bytes.first != FrameKind.ping.rawValue && bytes.first != FrameKind.pong.rawValue
        if faults.phone > .zero, isAnswer, let asked { due = max(due, asked + faults.phone) }
        lastToWatch = max(lastToWatch, due)
        toWatch.append(Late(bytes: bytes, due: lastToWatch))
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
    mutating func follow(_ state: RadioState) -> Passage {
        let number: UInt32? =
            switch state {
            case .down: nil
            case .up(let connection, _): connection
            }
        guard number != connection else { return .same }
        clear()
        connection = number
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
