import BoardSupport
import WatchLink

/// A timer that counts down at 25 MHz: the APB timer of the Cortex-M System Design Kit (Arm DDI 0479, section 4.2).
package struct Timer {
    private let base: UInt

    private init(base: UInt) {
        self.base = base
    }

    /// Counts for the board's clock.
    static var clock: Timer { Timer(base: 0x4000_0000) }
    /// Ends a sleep.
    package static var alarm: Timer { Timer(base: 0x4000_1000) }

    static var ticksPerMicrosecond: UInt32 { 25 }

    private var control: Register { Register(base) }
    private var counter: Register { Register(base + 4) }
    private var reload: Register { Register(base + 8) }
    private var interruptStatus: Register { Register(base + 12) }

    private static var running: UInt32 { 1 }
    private static var withInterrupt: UInt32 { 8 }

    /// Ticks since the start, modulo 2^32. Unchanged while the timer is stopped.
    var ticks: UInt32 { ~counter.value }

    func start() {
        reload.value = .max
        counter.value = .max
        control.value = Timer.running
    }

    func goOn() {
        control.value = Timer.running
    }

    func stop() {
        control.value = 0
    }

    /// Raises its interrupt once, after `ticks`.
    func fire(after ticks: UInt32) {
        control.value = 0
        reload.value = ticks
        counter.value = ticks
        interruptStatus.value = 1
        control.value = Timer.running | Timer.withInterrupt
    }

    /// Ends a wait: no further interrupt.
    package func silence() {
        control.value = 0
        interruptStatus.value = 1
    }
}

/// Microseconds since the board started, out of a 32-bit count of 25 MHz ticks.
///
/// It must be read once in 171 s, when the count wraps; the longest sleep is shorter. It can be held, and then set
/// forward.
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
