import WatchLink

/// The connection events of one channel: what waits each way, and what the next event carries.
struct ConnectionEvents {
    /// A datagram that is complete with a packet of this event.
    struct Arrival: Equatable {
        /// The receiver that now holds the complete datagram.
        var outcome: RadioLink.Outcome
        /// From the event's beginning to the packet's end.
        var after: Microseconds
    }

    enum Outcome {
        /// The datagrams that are complete, in order.
        case heard([Arrival])
        /// The first packet was lost. The link layer sends everything again in the next event.
        case lost
    }

    /// The fate of one packet of the phone and its answer.
    enum Exchange {
        case heard
        /// At least one packet is missing or damaged.
        case lost
    }

    let cost: RadioCost
    private var tempo: ConnectionTempo
    private var toPhone: PacketQueue
    private var toWatch: PacketQueue
    /// The number of the event after the last one.
    private var next: UInt64 = 0
    /// If events take no time: when a lost one is repeated.
    private var notBefore: Instant?
    /// The last event in which both ends heard each other.
    private(set) var lastHeard: Instant
    /// Bytes of datagrams at the watch, and events that the watch attended only for their payload.
    private(set) var traffic = RadioTraffic()
    /// The end of the last packet that carried something.
    private(set) var airEnd: Instant

    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        tempo = ConnectionTempo(cost, anchor: anchor)
        lastHeard = anchor
        airEnd = anchor
        toPhone = PacketQueue(credits: cost.credits)
        toWatch = PacketQueue(credits: cost.credits)
    }

    /// Whether nothing waits for an event, not even credits.
    var isEmpty: Bool { toPhone.isEmpty && toWatch.isEmpty }

    var hasDatagrams: Bool { toPhone.hasDatagrams || toWatch.hasDatagrams }

    mutating func sendToPhone(_ bytes: [UInt8], at now: Instant) {
        note(bytes, at: now)
        traffic.bytesSent += bytes.count
        toPhone.send(bytes)
    }

    mutating func sendToWatch(_ bytes: [UInt8]) {
        toWatch.send(bytes)
    }

    /// The watch then wants a fast connection.
    mutating func wearerActed(at now: Instant) {
        advance(to: now)
        tempo.wearerActed(at: now)
    }

    /// The next event that can carry what waits, at `now` or later; nil if nothing waits. The watch sleeps through as
    /// many events as it may, unless it has something to say or the last event carried something.
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

    /// Whether the event at `now` comes after others that carried nothing.
    func follows(_ now: Instant) -> Bool {
        tempo.anchor + Microseconds(next * tempo.interval.count) < now
    }

    /// What was carried until `now`, and the idle events that the watch listened in.
    func traffic(until now: Instant) -> RadioTraffic {
        var later = self
        later.advance(to: now)
        var sum = traffic
        sum.events += later.tempo.listened(until: now)
        return sum
    }

    private mutating func advance(to now: Instant) {
        while let change = tempo.nextChange, change <= now { self.change() }
    }

    private mutating func change() {
        guard tempo.change() else { return }
        next = 0
        // They met until now, with nothing to say.
        if isEmpty { noteHeard(at: tempo.anchor) }
    }

    /// Tells the policy of the connection's parameters of a datagram.
    private mutating func note(_ datagram: [UInt8], at now: Instant) {
        advance(to: now)
        if let kind = datagram.first { tempo.carried(FrameKind(rawValue: kind), at: now) }
    }

    /// Notes that the two still heard each other at `instant`.
    mutating func noteHeard(at instant: Instant) {
        lastHeard = max(lastHeard, instant)
    }

    /// Performs the event at `now`.
    ///
    /// A lost packet closes its event and is sent again in the next one. Those before it were acknowledged and stay
    /// delivered (Core Specification 5.4, volume 6, part B, sections 4.5.6 and 4.5.9). Left out: after one packet with
    /// a wrong CRC an event may go on. An event that takes no time is a single exchange.
    ///
    /// - Parameter exchange: the fate of the event's next exchange; asked until one is lost or the event is over.
    mutating func happen(at now: Instant, _ exchange: () -> Exchange) -> Outcome {
        advance(to: now)
        let number = cost.interval > .zero ? tempo.number(of: now) : 0
        if cost.interval > .zero { next = number + 1 }
        // The others are among those that it listens in anyway.
        if cost.interval == .zero || number % UInt64(tempo.latency + 1) != 0 { traffic.events += 1 }
        switch exchange() {
        case .lost:
            if cost.interval == .zero { notBefore = now + DeviceProfile.memoryLCD.radio.interval }
            return .lost
        case .heard:
            lastHeard = now
            let arrivals = cost.interval > .zero ? carry(at: now, exchange) : carryAtOnce()
            for case .arrivedAtWatch(let datagram) in arrivals.map(\.outcome) {
                traffic.bytesReceived += datagram.count
                note(datagram, at: now)
            }
            return .heard(arrivals)
        }
    }

    /// Carries packets both ways, a pair at a time, until one is lost or the event is over. Credits for what has
    /// arrived go with the next event.
    private mutating func carry(at now: Instant, _ exchange: () -> Exchange) -> [Arrival] {
        var arrivals: [Arrival] = []
        var rest = cost.interval
        var passed = Microseconds.zero
        var framesToPhone = 0
        var framesToWatch = 0
        for pair in 0..<cost.packetsPerEvent {
            let up = toPhone.nextPayload(cost) ?? 0
            let down = toWatch.nextPayload(cost) ?? 0
            let length = cost.airtime(of: down, answeredBy: up)
            guard up + down > 0, pair == 0 || length <= rest && exchange() == .heard else { break }
            rest = length < rest ? rest - length : .zero
            traffic.payloadOnAir += up + down
            traffic.packets += (up > 0 ? 1 : 0) + (down > 0 ? 1 : 0)
            // The phone is the central: its packet comes first, and the watch answers it.
            let downEnd = passed + cost.airtime(of: down)
            let upEnd = downEnd + RadioCost.interFrameSpace + cost.airtime(of: up)
            passed = passed + length
            airEnd = now + (up > 0 ? upEnd : downEnd)
            let packets = (down: toWatch.take(cost), up: toPhone.take(cost))
            framesToWatch += ConnectionEvents.pass(packets.down, allowing: &toPhone) {
                arrivals.append(Arrival(outcome: .arrivedAtWatch($0), after: downEnd))
            }
            framesToPhone += ConnectionEvents.pass(packets.up, allowing: &toWatch) {
                arrivals.append(Arrival(outcome: .arrivedAtPhone($0), after: upEnd))
            }
        }
        toWatch.giveBack(framesToPhone)
        toPhone.giveBack(framesToWatch)
        return arrivals
    }

    /// Carries everything both ways, for events that take no time.
    private mutating func carryAtOnce() -> [Arrival] {
        toWatch.takeAll().map { Arrival(outcome: .arrivedAtWatch($0), after: .zero) }
            + toPhone.takeAll().map { Arrival(outcome: .arrivedAtPhone($0), after: .zero) }
    }

    /// Takes in a packet at the other end. Returns the number of credits that it used.
    private static func pass(
        _ packet: PacketQueue.Packet?, allowing back: inout PacketQueue, whole: ([UInt8]) -> Void
    ) -> Int {
        switch packet {
        case nil: return 0
        case .credits(let frames):
            back.allow(frames)
            return 0
        case .frame(completing: let datagram):
            if let datagram { whole(datagram) }
            return 1
        }
    }
}

/// What waits in one direction of a channel: credits for the other end, and datagrams.
struct PacketQueue {
    enum Packet {
        /// L2CAP frames that the other end may send in addition.
        case credits(Int)
        /// A frame with a part of a datagram. Its last frame has the whole datagram.
        case frame(completing: [UInt8]?)
    }

    /// A datagram, and how many of its bytes were sent.
    private struct Passage {
        var bytes: [UInt8]
        var sent = 0
    }

    private var passages: [Passage] = []
    private var credits: Int
    /// Frames to allow to the other end; sent before anything else.
    private var returning = 0

    init(credits: Int) {
        self.credits = credits
    }

    /// Whether nothing waits, not even for credits.
    var isEmpty: Bool { passages.isEmpty && returning == 0 }

    var hasDatagrams: Bool { !passages.isEmpty }

    mutating func send(_ bytes: [UInt8]) { passages.append(Passage(bytes: bytes)) }

    mutating func allow(_ frames: Int) { credits += frames }

    /// Allows the other end more frames with the next packet.
    mutating func giveBack(_ frames: Int) { returning += frames }

    mutating func takeAll() -> [[UInt8]] {
        defer { passages = [] }
        return passages.map(\.bytes)
    }

    /// The payload of the packet that `take` would give; nil if none can be sent.
    func nextPayload(_ cost: RadioCost) -> Int? {
        if returning > 0 { return RadioCost.creditBytes }
        guard credits > 0, let first = passages.first else { return nil }
        let header = RadioCost.frameHeader + (first.sent == 0 ? RadioCost.sduLength : 0)
        return header + part(of: first, cost)
    }

    /// Nil if none can be sent.
    mutating func take(_ cost: RadioCost) -> Packet? {
        guard nextPayload(cost) != nil else { return nil }
        if returning > 0 {
            defer { returning = 0 }
            return .credits(returning)
        }
        credits -= 1
        passages[0].sent += part(of: passages[0], cost)
        let isWhole = passages[0].sent == passages[0].bytes.count
        return .frame(completing: isWhole ? passages.removeFirst().bytes : nil)
    }

    private func part(of passage: Passage, _ cost: RadioCost) -> Int {
        let room = cost.frameRoom - (passage.sent == 0 ? RadioCost.sduLength : 0)
        return min(room, passage.bytes.count - passage.sent)
    }
}
