import BoardSupport
import WatchLink

/// RTC1 (chapter 25): a counter of 24 bits at 32,768 Hz, which never stops.
package enum RealTimeClock {
    static var ticksPerSecond: UInt32 { 32_768 }
    static var mask: UInt32 { 0xFF_FFFF }

    private enum Alarm: UInt32 {
        case sleep = 0
        case motor = 1

        var event: Register { Part.realTime[0x140 + 4 * UInt(rawValue)] }
        var time: Register { Part.realTime[0x540 + 4 * UInt(rawValue)] }
        var bit: UInt32 { 1 &<< (16 &+ rawValue) }
    }

    static func start() {
        Part.realTime[0x508].value = 0
        Part.realTime[0x000].value = 1
        Part.enable(.realTime)
    }

    static var count: UInt32 { Part.realTime[0x504].value }

    /// Wakes the processor after `time`, which is at most `Part.longestSleep`.
    static func wake(afterMicroseconds time: UInt32) {
        // A tick is 15,625 / 512 us.
        set(.sleep, after: (time &* 512 &+ 15_624) / 15_625)
    }

    static func cancelWake() {
        Part.realTime[0x308].value = Alarm.sleep.bit
        Alarm.sleep.event.value = 0
    }

    static func callMotor(after ticks: UInt32) {
        set(.motor, after: ticks)
    }

    /// Sets an alarm. If `ticks` is less than three, uses three. RTC1 may miss an alarm that is less than two ticks ahead
    /// (section 25.7), and the counter may advance by one while this function runs.
    private static func set(_ alarm: Alarm, after ticks: UInt32) {
        alarm.event.value = 0
        alarm.time.value = (count &+ max(ticks, 3)) & mask
        Part.realTime[0x304].value = alarm.bit
    }

    package static func handle() {
        if Alarm.sleep.event.value != 0 { cancelWake() }
        if Alarm.motor.event.value != 0 {
            Part.realTime[0x308].value = Alarm.motor.bit
            Alarm.motor.event.value = 0
            Motor.advance()
        }
    }

    static func wait(milliseconds: UInt32) {
        let start = count
        // Rounded up, plus one for the tick that has already begun.
        let ticks = (milliseconds &* ticksPerSecond &+ 999) / 1_000 &+ 1
        set(.sleep, after: ticks)
        while (count &- start) & mask < ticks { Part.sleep(if: { (count &- start) & mask < ticks }) }
    }
}

/// Extends the counter of `RealTimeClock` to 64 bits. The counter wraps every 512 s, so `read` must be called more often than
/// that. The board calls it before each sleep, and a sleep takes at most 4 s.
struct TickClock {
    private var ticks: UInt64 = 0
    private var counted: UInt32 = 0

    var lastRead: Instant { Instant(microseconds: TickClock.microseconds(ticks)) }

    @inline(never)
    mutating func read() -> Instant {
        let count = RealTimeClock.count
        ticks &+= UInt64(word: (count &- counted) & RealTimeClock.mask)
        counted = count
        return lastRead
    }

    /// The time at which the counter was `count`. This time must be less than 256 s before or after the last `read`. An interrupt
    /// handler may have recorded `count` after the last `read`.
    func instant(of count: UInt32) -> Instant {
        // Half of the counter's range keeps the difference above zero.
        let half: UInt32 = 0x80_0000
        let ahead = UInt64(word: (count &- counted &+ half) & RealTimeClock.mask)
        return Instant(microseconds: TickClock.microseconds(ticks &+ ahead &- UInt64(word: half)))
    }

    private static func microseconds(_ ticks: UInt64) -> UInt64 { (ticks &* 15_625) &>> 9 }
}
