import Testing
import WatchLink

@testable import DeviceModel

@Suite struct RadioLinkTests {
    private static let message: [UInt8] = [FrameKind.queued.rawValue, 1]
    private static let acknowledgement: [UInt8] = [FrameKind.acknowledgement.rawValue, 1]
    private let cost = DeviceProfile.memoryLCD.radio

    /// Returns a link with an open channel. Only `loss` and `jitter` delay its datagrams.
    private func link(loss: Double = 0, jitter: Microseconds = .zero, seed: UInt64 = 1) -> RadioLink {
        var cost = DeviceProfile.instant.radio
        cost.supervisionTimeout = .seconds(100)
        var link = RadioLink(.events(cost), seed: seed)
        link.open(at: .start)
        link.change(WatchFaults(loss: loss, jitter: jitter), at: .start)
        return link
    }

    private func at(_ milliseconds: UInt32) -> Instant { .start + .milliseconds(milliseconds) }

    private func outcomes(_ link: inout RadioLink, from start: Instant) -> [(time: Instant, outcome: RadioLink.Outcome)]
    {
        var all: [(time: Instant, outcome: RadioLink.Outcome)] = []
        var now = start
        while let due = link.nextDue(at: now) {
            now = due
            all += link.advance(to: due).map { (due, $0) }
        }
        return all
    }

    /// Returns the connection event that carried each arrival: the last event at or before its time. Events come at
    /// `anchor` and every `interval` milliseconds after it.
    private func events(
        every interval: UInt64, since anchor: Instant, of arrivals: [(time: Instant, outcome: RadioLink.Outcome)]
    ) -> [Instant] {
        arrivals.map { anchor + Microseconds(($0.time - anchor).count / (interval * 1_000) * interval * 1_000) }
    }

    @Test func `Without faults everything arrives at once`() {
        var link = link()
        link.sendToPhone(Self.message, at: at(10))
        link.sendToWatch(Self.acknowledgement, at: at(10))
        #expect(link.nextDue(at: at(10)) == at(10))
        #expect(
            link.advance(to: at(10)) == [.arrivedAtWatch(Self.acknowledgement), .arrivedAtPhone(Self.message)])
        #expect(link.isEmpty)
    }

    @Test func `A pipe takes the same time both ways, whatever is wrong`() {
        var link = RadioLink(.pipe(.milliseconds(15)), seed: 1)
        link.open(at: .start)
        link.change(WatchFaults(loss: 1), at: .start)
        link.sendToPhone(Self.message, at: at(10))
        #expect(link.advance(to: at(24)) == [])
        #expect(link.advance(to: at(25)) == [.arrivedAtPhone(Self.message)])
    }

    @Test func `An event carries a packet each way, and the watch sleeps through some`() {
        let cost = RadioCost(
            interval: .milliseconds(30), latency: 3, packetBytes: 104, packetsPerEvent: 1, credits: 10,
            supervisionTimeout: .seconds(6))
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: at(1_000))
        let long = [UInt8](repeating: FrameKind.queued.rawValue, count: 250)
        for datagram in [long, Self.message, long] { link.sendToPhone(datagram, at: at(1_001)) }
        // A long datagram takes packets with 98, 100 and 52 of its bytes. No packet has parts of two datagrams.
        let first = outcomes(&link, from: at(1_001))
        #expect(events(every: 30, since: at(1_000), of: first) == [at(1_090), at(1_120), at(1_210)])
        // Nothing has happened for long, so the watch listens only to every fourth event.
        link.sendToWatch(Self.acknowledgement, at: at(10_001))
        let second = outcomes(&link, from: at(10_001))
        #expect(events(every: 30, since: at(1_000), of: second) == [at(10_120)])
        // The event at 10,150 ms carried the credits back. After an event with data, the watch listens to the next one.
        link.sendToWatch(Self.acknowledgement, at: at(10_151))
        let third = outcomes(&link, from: at(10_151))
        #expect(events(every: 30, since: at(1_000), of: third) == [at(10_180)])
    }

    private func packets(down: Int, up: Int = 0, megabits: Int, atMost most: Int = 1_000) -> Int {
        let cost = RadioCost(
            interval: .milliseconds(15), latency: 0, packetBytes: 251, packetsPerEvent: most, megabits: megabits,
            credits: 1_000, supervisionTimeout: .seconds(6))
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        let around = RadioCost.frameHeader + RadioCost.sduLength
        for _ in 0..<40 {
            link.sendToWatch([UInt8](repeating: 0xF0, count: down - around), at: at(1))
            if up > 0 { link.sendToPhone([UInt8](repeating: 0xF0, count: up - around), at: at(1)) }
        }
        return link.advance(to: Instant(microseconds: 29_999)).count {
            if case .arrivedAtWatch = $0 { true } else { false }
        }
    }

    /// Airtime at 1 Mbit/s (Core Specification, volume 6, part B, section 2.1): 2.12 ms for a packet with 251 bytes, 80
    /// us for an empty one.
    @Test func `An event carries as many packets as their time in the air leaves room for`() {
        #expect(packets(down: 251, megabits: 1) == 6)
        #expect(packets(down: 251, up: 251, megabits: 1) == 3)
        #expect(packets(down: 150, megabits: 1) == 8)
        #expect(packets(down: 251, megabits: 2) == 10)
        #expect(packets(down: 251, up: 251, megabits: 2) == 6)
        #expect(packets(down: 251, megabits: 1, atMost: 3) == 3)
    }

    /// The airtimes are as above. By the specification, 150 us pass between two packets (section 4.1).
    @Test func `A datagram is there when its last packet has ended in the air`() {
        func arrivals(_ send: (inout RadioLink) -> Void) -> [Microseconds] {
            var link = RadioLink(.events(cost), seed: 1)
            link.open(at: .start)
            send(&link)
            return outcomes(&link, from: at(1)).map { $0.time - at(15) }
        }
        // With the L2CAP header and the SDU length, the packet has 251 bytes.
        let whole = [UInt8](repeating: FrameKind.queued.rawValue, count: 245)
        #expect(arrivals { $0.sendToWatch(whole, at: at(1)) } == [Microseconds(2_120)])
        // The phone always sends first, here an empty packet.
        #expect(arrivals { $0.sendToPhone(whole, at: at(1)) } == [Microseconds(80 + 150 + 2_120)])
        let both = arrivals {
            $0.sendToPhone(whole, at: at(1))
            $0.sendToWatch(whole, at: at(1))
        }
        #expect(both == [Microseconds(2_120), Microseconds(2_120 + 150 + 2_120)])
    }

    @Test func `Without credits a frame waits for the event after the one that brings them`() {
        let cost = RadioCost(
            interval: .milliseconds(30), latency: 0, packetBytes: 251, packetsPerEvent: 6, credits: 2,
            supervisionTimeout: .seconds(6))
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        for _ in 0..<5 { link.sendToPhone(Self.message, at: at(1)) }
        // The event at 30 ms carries two frames. The event at 60 ms brings their credits, and the watch uses them at
        // once.
        let all = outcomes(&link, from: at(1))
        #expect(events(every: 30, since: .start, of: all) == [at(30), at(30), at(60), at(60), at(90)])
    }

    @Test func `What is carried at rest adds the events that the watch would have slept through`() {
        var link = RadioLink(
            .events(
                RadioCost(
                    interval: .milliseconds(30), latency: 3, packetBytes: 251, packetsPerEvent: 1, credits: 10,
                    supervisionTimeout: .seconds(6))), seed: 1)
        link.open(at: .start)
        _ = link.advance(to: at(12_000))
        #expect(link.traffic(until: at(12_000)).events == 100)
        link.sendToPhone(Self.message, at: at(12_001))
        _ = link.advance(to: at(24_000))
        // One event carries the message and the next its credit. Without data, the watch would sleep through both.
        #expect(link.traffic(until: at(24_000)).events == 202)
        #expect(link.traffic(until: at(24_000)).packets == 2)
    }

    @Test func `A late caller gets what the events in between have carried`() {
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        link.sendToPhone(Self.message, at: at(1))
        #expect(link.advance(to: at(22)) == [.arrivedAtPhone(Self.message)])
    }

    @Test func `A link that was at rest is slow until the wearer acts`() {
        /// Returns the longest delay of twelve messages, each on a new link that has been open for about 60 s.
        func delay(_ prepare: (inout RadioLink) -> Void) -> Microseconds {
            (0..<12).map { (phase: UInt32) in
                var link = RadioLink(.events(cost), seed: 1)
                link.open(at: .start)
                prepare(&link)
                let sent = at(60_001 + 15 * phase)
                link.sendToPhone(Self.message, at: sent)
                return (outcomes(&link, from: sent).first?.time ?? sent) - sent
            }.max { $0 < $1 } ?? .zero
        }
        let resting = delay { _ in }
        let used = delay { $0.wearerActed(at: at(58_000)) }
        // The wait for an event, and less than a millisecond in the air.
        #expect(resting > .milliseconds(30) && resting <= .milliseconds(46))
        #expect(used <= .milliseconds(16))
    }

    @Test(arguments: [30, 60, 90])
    func `A loss costs as many intervals as events are lost, and no order`(loss: Int) throws {
        var link = link(loss: Double(loss) / 100, seed: UInt64(loss))
        var events = 0
        let count = 2_000
        for number in 0..<count {
            // The messages are so far apart that none waits for an earlier one.
            let sent = Instant.start + .seconds(UInt32(number) * 10)
            link.sendToPhone(Self.message, at: sent)
            let arrived = try #require(outcomes(&link, from: sent).first)
            #expect((arrived.time - sent).count % cost.interval.count == 0)
            events += Int((arrived.time - sent).count / cost.interval.count)
        }
        // The mean of a geometric distribution is p / (1 - p).
        let mean = Double(events) / Double(count)
        let expected = Double(loss) / Double(100 - loss)
        #expect(abs(mean - expected) < 0.2 * expected)
    }

    /// Sends many datagrams to the watch at the same time. Each datagram is one packet. Returns the number of packets
    /// in each connection event. An event carries at most six.
    private func carried(loss: Double, packets: Int = 1_200) -> [Int] {
        let cost = RadioCost(
            interval: .milliseconds(15), latency: 0, packetBytes: 27, packetsPerEvent: 6, credits: packets,
            supervisionTimeout: .seconds(6))
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        link.change(WatchFaults(loss: loss), at: .start)
        let sent = (0..<packets).map { [0xF0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for datagram in sent { link.sendToWatch(datagram, at: at(1)) }
        var counts: [Int] = []
        var received: [[UInt8]] = []
        while received.count < packets, counts.count < 4 * packets {
            // All packets of an event arrive before the next event.
            let arrivals = link.advance(to: at(UInt32(15 * (counts.count + 2)) - 1))
            for case .arrivedAtWatch(let datagram) in arrivals { received.append(datagram) }
            counts.append(arrivals.count)
        }
        // Each datagram arrives once and in order, even if its packet was lost at first.
        #expect(received == (loss < 1 ? sent : []))
        return counts
    }

    @Test(arguments: [0.05, 0.3, 0.6])
    func `A lost packet closes its event, and those before it are through`(loss: Double) {
        let counts = carried(loss: loss).dropLast()
        for count in 1...6 {
            let share = Double(counts.count { $0 >= count }) / Double(counts.count)
            let expected = (0..<count).reduce(1.0) { share, _ in share * (1 - loss) }
            #expect(abs(share - expected) < 0.08, "\(count) packets")
        }
    }

    @Test func `Without loss every event is full, and with nothing but loss none carries anything`() {
        #expect(carried(loss: 0) == Array(repeating: 6, count: 200))
        #expect(carried(loss: 1, packets: 60).allSatisfy { $0 == 0 })
    }

    @Test func `The watch's answer is lost with the packet that it answers, and both are sent again`() throws {
        var cost = cost
        cost.packetsPerEvent = 6
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        link.change(WatchFaults(loss: 0.5), at: .start)
        for _ in 0..<40 {
            link.sendToWatch(Self.message, at: at(1))
            link.sendToPhone(Self.message, at: at(1))
        }
        let all = outcomes(&link, from: at(1))
        #expect(all.count == 80)
        // The two messages of each pair arrive together.
        for pair in stride(from: 0, to: 80, by: 2) {
            #expect(all[pair].outcome == .arrivedAtWatch(Self.message))
            #expect(all[pair + 1].outcome == .arrivedAtPhone(Self.message))
        }
    }

    @Test func `Jitter is at most what it is said to be, and what comes later does not overtake`() {
        var link = link(jitter: .milliseconds(50))
        var times: [Instant] = []
        for number in 0..<200 {
            link.sendToWatch([FrameKind.acknowledgement.rawValue, UInt8(number)], at: at(UInt32(100 + number)))
            _ = link.nextDue(at: at(UInt32(100 + number)))
            times += link.advance(to: at(UInt32(100 + number))).map { _ in at(UInt32(100 + number)) }
        }
        times += outcomes(&link, from: at(300)).map(\.time)
        #expect(times.count == 200)
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0 >= at(100) && $0 <= at(350) })
    }

    @Test func `A link over which nothing is heard dies after the supervision timeout`() {
        var link = RadioLink(.events(cost), seed: 1)
        link.open(at: .start)
        link.change(WatchFaults(loss: 1), at: at(500))
        link.sendToPhone(Self.message, at: at(600))
        let end = at(500) + cost.supervisionTimeout
        #expect(link.nextDue(at: at(600)) == end)
        #expect(link.advance(to: Instant(microseconds: end.microseconds - 1)) == [])
        #expect(link.advance(to: end) == [.lost])
        #expect(link.nextDue(at: end) == nil)
    }

    @Test func `What is on its way over a channel that ends is lost`() {
        var link = link(jitter: .milliseconds(50))
        link.sendToPhone(Self.message, at: at(10))
        _ = link.advance(to: at(10))
        link.open(at: at(11))
        #expect(link.isEmpty)
        link.sendToPhone(Self.message, at: at(12))
        link.close()
        #expect(link.isEmpty)
        #expect(link.nextDue(at: at(12)) == nil)
    }

    @Test func `The same seed gives the same times`() {
        func times(seed: UInt64) -> [Instant] {
            var link = link(loss: 0.4, jitter: .milliseconds(20), seed: seed)
            return (0..<20).flatMap { number -> [Instant] in
                let sent = at(UInt32(number) * 1_000)
                link.sendToPhone(Self.message, at: sent)
                return outcomes(&link, from: sent).map(\.time)
            }
        }
        #expect(times(seed: 3) == times(seed: 3))
        #expect(times(seed: 3) != times(seed: 4))
    }
}
