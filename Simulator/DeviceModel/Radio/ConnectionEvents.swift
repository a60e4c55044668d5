import WatchLink

/// The connection events of one channel, and the data that waits for them in each direction.
struct ConnectionEvents {
    /// A datagram whose last packet arrived in an event.
    struct Arrival: Equatable {
        /// The datagram, and whether the watch or the phone has received it.
        var outcome: RadioLink.Outcome
        /// The time from the beginning of that event to the end of the last packet.
        var after: Microseconds
    }

    enum Outcome {
        case heard([Arrival])
        /// A packet of the first exchange was lost, so the event carried no data. The data waits for the next event.
        case lost
    }

    let cost: RadioCost
    private var tempo: ConnectionTempo
    private var toPhone: PacketQueue
    private var toWatch: PacketQueue
    private var next: UInt64 = 0
    /// The earliest time for the event that follows a lost event. Used only if the connection interval is zero, because nothing
    /// else separates the two events then. Nil until an event is lost.
    private var notBefore: Instant?
    /// When the watch and the phone last both received a packet. The supervision timeout counts from this time.
    private(set) var lastHeard: Instant
    /// The traffic so far. Its `events` excludes the events at which the watch must listen even without data.
    /// `traffic(until:)` adds these events.
    private(set) var traffic = RadioTraffic()
    /// When the last packet with payload ends.
    private(set) var airEnd: Instant

    init(_ cost: RadioCost, anchor: Instant) {
        self.cost = cost
        tempo = ConnectionTempo(cost, anchor: anchor)
        lastHeard = anchor
        airEnd = anchor
        toPhone = PacketQueue(credits: cost.credits)
        toWatch = PacketQueue(credits: cost.credits)
    }

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

    mutating func wearerActed(at now: Instant) {
        advance(to: now)
        tempo.wearerActed(at: now)
    }

    /// Returns the time of the next event that can carry data, at `now` or later. Nil if no data waits. The watch listens
    /// in the next event if it has data to send, or if the previous event carried data. Otherwise it sleeps through as many
    /// events as it may.
    func nextEvent(at now: Instant) -> Instant? {
        guard !isEmpty else { return nil }
        guard cost.interval > .zero else { return max(now, notBefore ?? now) }
        // Usually the parameters do not change before the event. Then this value need not be copied.
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

    /// Whether at least one event without data lies between the last event with data and the event at `now`.
    func follows(_ now: Instant) -> Bool {
        tempo.anchor + Microseconds(next * tempo.interval.count) < now
    }

    /// The traffic until `now`, with the events without data in which the watch listened.
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
        // Even without data to carry, the watch and the phone have received packets until now.
        if isEmpty { noteHeard(at: tempo.anchor) }
    }

    private mutating func note(_ datagram: [UInt8], at now: Instant) {
        advance(to: now)
        if let kind = datagram.first { tempo.carried(FrameKind(rawValue: kind), at: now) }
    }

    mutating func noteHeard(at instant: Instant) {
        lastHeard = max(lastHeard, instant)
    }

    /// Carries data in the event at `now`. A lost packet ends the event, and is sent again in the next event. Packets that
    /// arrived earlier in the event stay delivered (Core Specification 5.4, volume 6, part B, sections 4.5.6 and 4.5.9). The
    /// specification lets an event continue after a packet with a wrong CRC, but the model does not.
    ///
    /// Before each packet of the phone, calls `exchange`, which returns whether this packet and the watch's answer both arrive.
    /// In an event that takes no time, calls `exchange` once.
    mutating func happen(at now: Instant, _ exchange: () -> Bool) -> Outcome {
        advance(to: now)
        let number = cost.interval > .zero ? tempo.number(of: now) : 0
        if cost.interval > .zero { next = number + 1 }
        // Counts only an event that the peripheral latency allowed the watch to skip. `traffic(until:)` adds the events at
        // which the watch had to listen.
        if cost.interval == .zero || number % UInt64(tempo.latency + 1) != 0 { traffic.events += 1 }
        guard exchange() else {
            if cost.interval == .zero { notBefore = now + DeviceProfile.memoryLCD.radio.interval }
            return .lost
        }
        lastHeard = now
        let arrivals = cost.interval > .zero ? carry(at: now, exchange) : carryAtOnce()
        for case .arrivedAtWatch(let datagram) in arrivals.map(\.outcome) {
            traffic.bytesReceived += datagram.count
            note(datagram, at: now)
        }
        return .heard(arrivals)
    }

    /// Carries one packet in each direction at a time. Credits for received frames wait for the next event.
    private mutating func carry(at now: Instant, _ exchange: () -> Bool) -> [Arrival] {
        var arrivals: [Arrival] = []
        var rest = cost.interval
        var passed = Microseconds.zero
        var framesToPhone = 0
        var framesToWatch = 0
        for pair in 0..<cost.packetsPerEvent {
            let up = toPhone.nextPayload(cost) ?? 0
            let down = toWatch.nextPayload(cost) ?? 0
            let length = cost.airtime(of: down, answeredBy: up)
            guard up + down > 0, pair == 0 || length <= rest && exchange() else { break }
            rest = length < rest ? rest - length : .zero
            traffic.payloadOnAir += up + down
            traffic.packets += (up > 0 ? 1 : 0) + (down > 0 ? 1 : 0)
            // The phone is the central, so it sends first and the watch answers.
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

    private mutating func carryAtOnce() -> [Arrival] {
        toWatch.takeAll().map { Arrival(outcome: .arrivedAtWatch($0), after: .zero) }
            + toPhone.takeAll().map { Arrival(outcome: .arrivedAtPhone($0), after: .zero) }
    }

    /// Delivers a packet. If it contains credits, adds them to `back`, the queue of the end that receives the packet. If it
    /// completes a datagram, calls `whole` with the datagram. Returns the number of credits that the packet used.
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

/// The data that waits in one direction: credits for the other end, and datagrams.
struct PacketQueue {
    enum Packet {
        /// The number of further L2CAP frames that the other end may send.
        case credits(Int)
        /// A frame with a part of a datagram. In a datagram's last frame, `completing` is the whole datagram; in others, nil.
        case frame(completing: [UInt8]?)
    }

    private struct Passage {
        var bytes: [UInt8]
        var sent = 0
    }

    private var passages: [Passage] = []
    private var credits: Int
    /// Credits to return to the other end. They are sent before any other data.
    private var returning = 0

    init(credits: Int) {
        self.credits = credits
    }

    var isEmpty: Bool { passages.isEmpty && returning == 0 }

    var hasDatagrams: Bool { !passages.isEmpty }

    mutating func send(_ bytes: [UInt8]) { passages.append(Passage(bytes: bytes)) }

    mutating func allow(_ frames: Int) { credits += frames }

    mutating func giveBack(_ frames: Int) { returning += frames }

    mutating func takeAll() -> [[UInt8]] {
        defer { passages = [] }
        return passages.map(\.bytes)
    }

    /// The payload of the next packet in bytes. Nil if no packet can be sent.
    func nextPayload(_ cost: RadioCost) -> Int? {
        if returning > 0 { return RadioCost.creditBytes }
        guard credits > 0, let first = passages.first else { return nil }
        let header = RadioCost.frameHeader + (first.sent == 0 ? RadioCost.sduLength : 0)
        return header + part(of: first, cost)
    }

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
