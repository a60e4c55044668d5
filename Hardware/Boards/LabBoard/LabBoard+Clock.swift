import HostCalls
import Watch
import WatchLink

extension LabBoard: BoardClock {
    /// A timer of 32 bits that counts microseconds, as the TIMER of an nRF52832 does with a prescaler of 4, and its wraps.
    var now: Instant {
        @inline(never) mutating get {
            let low = Host.call(.now)
            let passed = low &- UInt32(truncatingIfNeeded: microseconds)
            microseconds &+= UInt64(word: passed)
            return Instant(microseconds: microseconds)
        }
    }

    @inline(never)
    func calendar(at instant: Instant) -> LocalTime? {
        block[0] = instant.microseconds.lowWord
        block[1] = instant.microseconds.highWord
        return Host.fill(block, .calendar) == 0 ? nil : LocalTime(seconds: block[2])
    }

    func setCalendar(_ time: LocalTime) {
        Host.call(.setCalendar, time.seconds)
    }
}
