import WatchLink

/// Microseconds since the board started, out of a 32-bit count of 25 MHz ticks.
///
/// It has to be read once in 171 s, when the count wraps; the longest sleep is shorter than that. It can be held, and set
/// forward while it is.
struct TickClock {
    private var microseconds: UInt64 = 0
    private var counted: UInt32 = 0
    /// Ticks beyond the last whole microsecond.
    private var rest: UInt32 = 0

    @inline(never)
    mutating func read() -> Instant {
        let ticks = Timer.clock.ticks
        let passed = ticks &- counted &+ rest
        counted = ticks
        microseconds &+= UInt64(word: passed / Timer.ticksPerMicrosecond)
        rest = passed % Timer.ticksPerMicrosecond
        return Instant(microseconds: microseconds)
    }

    mutating func hold() {
        Timer.clock.stop()
        _ = read()
    }

    /// Resumes the time from `instant`, or from where it was held if that is later.
    mutating func goOn(from instant: Instant) {
        if instant.microseconds > microseconds {
            microseconds = instant.microseconds
            rest = 0
        }
        Timer.clock.goOn()
    }
}
