import Testing
import WatchLink

@testable import DeviceModel

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
