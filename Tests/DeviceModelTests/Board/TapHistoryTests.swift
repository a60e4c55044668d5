import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct TapLogTests {
    private func instant(_ microseconds: UInt64) -> Instant {
        Instant(microseconds: microseconds)
    }

    @Test func `Marks are kept for each tap and give its times since the touch`() throws {
        var log = TapLog()
        log.enter(.mark(.touch, tap: TapNumber(1), at: instant(100)))
        log.enter(.mark(.touch, tap: TapNumber(2), at: instant(500)))
        log.enter(.mark(.updated, tap: TapNumber(1), at: instant(2_100)))
        log.enter(.mark(.acknowledged, tap: TapNumber(1), at: instant(9_100)))
        let first = try #require(log.histories.first)
        #expect(first.tap == TapNumber(1))
        #expect(first.tapToUpdate == Microseconds(2_000))
        #expect(first.sinceTouch(.acknowledged) == Microseconds(9_000))
        #expect(first.sinceTouch(.sent) == nil)
        #expect(log.histories.last?.tapToUpdate == nil)
    }

    @Test func `A tap is felt while one of its stages runs, and the first time counts`() {
        var log = TapLog()
        for tap in 1...2 as ClosedRange<UInt32> { log.enter(.mark(.touch, tap: TapNumber(tap), at: instant(100))) }
        log.felt(at: instant(150))
        #expect(log.histories.allSatisfy { $0.felt == nil })
        log.enter(.stageBegan("haptic", tap: TapNumber(1), at: instant(200)))
        log.felt(at: instant(300))
        log.felt(at: instant(400))
        log.enter(.stageEnded("haptic", tap: TapNumber(1), at: instant(500)))
        #expect(log.histories.map(\.touchToFelt) == [Microseconds(200), nil])
    }

    @Test func `The first time at a mark counts`() {
        var log = TapLog()
        log.enter(.mark(.sent, tap: TapNumber(1), at: instant(10)))
        log.enter(.mark(.sent, tap: TapNumber(1), at: instant(20)))
        #expect(log.histories.first?.time(of: .sent) == instant(10))
    }

    @Test func `Stages have a beginning and an end`() throws {
        var log = TapLog()
        log.enter(.stageBegan("haptic", tap: TapNumber(1), at: instant(10)))
        log.enter(.stageBegan("complication", tap: TapNumber(1), at: instant(15)))
        log.enter(.stageEnded("haptic", tap: TapNumber(1), at: instant(12)))
        let stages = try #require(log.histories.first?.stages)
        #expect(stages.map(\.name) == ["haptic", "complication"])
        #expect(stages[0].duration == Microseconds(2))
        #expect(stages[1].duration == nil)
    }

    @Test func `What belongs to no tap is not entered`() {
        var log = TapLog()
        log.enter(.mark(.durable, tap: TapNumber(0), at: instant(10)))
        log.enter(.screenChanged(at: instant(11)))
        #expect(log.histories.isEmpty)
    }

    @Test func `The last 64 taps are kept`() {
        var log = TapLog()
        for count in 1...100 as ClosedRange<UInt32> { log.enter(.mark(.touch, tap: TapNumber(count), at: .start)) }
        #expect(log.histories.count == TapLog.capacity)
        #expect(log.histories.first?.tap == TapNumber(37))
        #expect(log.histories.last?.tap == TapNumber(100))
    }
}

@Suite struct HapticLogTests {
    @Test func `All pulses are counted and the last 64 kept`() {
        var log = HapticLog()
        for count in 1...70 as ClosedRange<UInt64> {
            log.enter(HapticPulse(.click, at: Instant(microseconds: count)))
        }
        #expect(log.count == 70)
        #expect(log.pulses.count == HapticLog.capacity)
        #expect(log.pulses.first?.time == Instant(microseconds: 7))
    }
}

@Suite struct BegunTapsTests {
    @Test func `The last 256 are kept`() {
        var taps = BegunTaps()
        for number in 1...257 as ClosedRange<UInt64> { taps.enter(InputNumber(number)) }
        #expect(!taps.contains(InputNumber(1)))
        #expect(taps.contains(InputNumber(2)))
        #expect(!taps.contains(InputNumber(258)))
    }
}
