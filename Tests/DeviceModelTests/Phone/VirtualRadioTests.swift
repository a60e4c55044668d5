import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct VirtualRadioTests {
    private func bench(_ change: (inout RadioCost) -> Void = { _ in }) throws -> WatchBench<ShippingHandler> {
        var profile = DeviceProfile.instant
        profile.radio = DeviceProfile.memoryLCD.radio
        change(&profile.radio)
        return try WatchBench(phone: InMemoryPhone(items: 8), handler: ShippingHandler(), profile: profile)
    }

    /// Whether `time` is in the connection event that begins at `milliseconds`. The packets in these tests are short.
    /// They end within 1 ms of the event's start.
    private func isInEvent(at milliseconds: UInt64, _ time: Instant) -> Bool {
        time > Instant(microseconds: milliseconds * 1_000) && time < Instant(microseconds: (milliseconds + 1) * 1_000)
    }

    private func roundTrip(_ bench: WatchBench<ShippingHandler>) throws -> (sent: Instant, back: Instant) {
        bench.tap(0)
        bench.run(until: { $0.taps.last?.time(of: .acknowledged) != nil })
        let tap = try #require(bench.snapshot.taps.last)
        return (try #require(tap.time(of: .sent)), try #require(tap.time(of: .acknowledged)))
    }

    @Test func `At rest events are rarer, and fast ones come again ten events after the wearer did something`() throws {
        let bench = try bench()
        bench.connect()
        bench.run(for: .seconds(60))
        let rest = try roundTrip(bench)
        #expect(rest.back - rest.sent > .milliseconds(45) && rest.back - rest.sent <= .milliseconds(91))
        // One event carries the watch's request. The change takes effect ten events later.
        bench.run(for: .milliseconds(11 * 45))
        let used = try roundTrip(bench)
        #expect(used.back - used.sent <= .milliseconds(31))
        bench.run(for: .seconds(4))
        let still = try roundTrip(bench)
        #expect(still.back - still.sent <= .milliseconds(31))
        bench.run(for: .milliseconds(5_500))
        let again = try roundTrip(bench)
        #expect(again.back - again.sent > .milliseconds(45))
    }

    @Test func `A connection that knows no rest stays as it is`() throws {
        let bench = try bench { $0.rest = nil }
        bench.connect()
        bench.run(for: .seconds(60))
        let (sent, back) = try roundTrip(bench)
        #expect(back - sent <= .milliseconds(31))
    }

    @Test func `A message waits for the next connection event, and its answer for the one after`() throws {
        let bench = try bench()
        bench.connect()
        bench.run(for: Microseconds(1_004_000 - bench.clock.now.microseconds))
        let (sent, back) = try roundTrip(bench)
        #expect(sent == Instant(microseconds: 1_004_000))
        let arrived = try #require(bench.phone.lastMessage)
        #expect(isInEvent(at: 1_005, arrived))
        #expect(isInEvent(at: 1_020, back))
    }

    @Test func `What is on its way is in the air or waits for an event, and never both`() throws {
        let bench = try bench()
        bench.connect()
        bench.run(for: Microseconds(1_004_000 - bench.clock.now.microseconds))
        let before = bench.work
        let (sent, back) = try roundTrip(bench)
        let radio = bench.work.radio
        let (onAir, waiting) = (radio.onAir - before.radio.onAir, radio.waiting - before.radio.waiting)
        // The message waits 1 ms for its event. The answer waits from the message's arrival until the next event, at
        // 1,020 ms.
        let arrived = try #require(bench.phone.lastMessage)
        let waits = Microseconds.milliseconds(1) + (Instant(microseconds: 1_020_000) - arrived)
        #expect(waiting == waits)
        #expect(onAir + waiting == back - sent)
        let spent = bench.work.spent.since(before.spent)
        #expect(spent.radio == onAir)
        #expect(spent.window == waiting)
    }

    @Test func `A silence that ended does not count when the next one begins`() throws {
        let bench = try bench { $0.supervisionTimeout = .seconds(1) }
        bench.connect()
        bench.faults = WatchFaults(loss: 1)
        bench.run(for: .milliseconds(300))
        bench.faults = WatchFaults()
        bench.run(for: .milliseconds(600))
        bench.faults = WatchFaults(loss: 1)
        bench.run(for: .milliseconds(999))
        #expect(bench.radio.state != .down)
        bench.run(for: .milliseconds(1))
        #expect(bench.radio.state == .down)
    }

    @Test func `Air that takes no time and loses everything is silent, and carries what waits when it does not`()
        throws
    {
        let bench = try bench {
            $0.interval = .zero
            $0.supervisionTimeout = .seconds(1)
        }
        bench.connect()
        bench.faults = WatchFaults(loss: 1)
        bench.tap(0)
        bench.run(for: .milliseconds(500))
        #expect(bench.phone.checkOffs.isEmpty)
        bench.faults = WatchFaults()
        bench.run(for: .milliseconds(500))
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        bench.faults = WatchFaults(loss: 1)
        bench.run(for: .seconds(1))
        #expect(bench.radio.state == .down)
    }

    @Test func `Traffic counts bytes both ways and the events that the watch was awake for`() throws {
        let bench = try bench()
        bench.connect()
        bench.run(for: .seconds(15))
        let before = bench.work.radio
        #expect(before.bytesReceived > 8 * 6)
        // The interval is 15 ms for 5 s, which gives 333 events. For the other 10 s the interval is 45 ms, and the
        // watch listens to every fourth event.
        #expect(before.events >= 333 + 50 && before.events <= 333 + 80)
        _ = try roundTrip(bench)
        bench.run(for: .seconds(1))
        #expect(bench.work.radio.bytesSent > before.bytesSent)
    }
}
