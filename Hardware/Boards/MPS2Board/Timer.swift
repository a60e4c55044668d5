import BoardSupport
import WatchLink

/// A timer that counts down at 25 MHz: the APB timer of the Cortex-M System Design Kit (Arm DDI 0479, section 4.2).
package struct Timer {
    private let base: UInt

    private init(base: UInt) {
        self.base = base
    }

    /// The timer from which the board's clock is read.
    static var clock: Timer { Timer(base: 0x4000_0000) }
    /// The timer whose interrupt ends a sleep.
    package static var alarm: Timer { Timer(base: 0x4000_1000) }

    static var ticksPerMicrosecond: UInt32 { 25 }

    private var control: Register { Register(base) }
    private var counter: Register { Register(base + 4) }
    private var reload: Register { Register(base + 8) }
    private var interruptStatus: Register { Register(base + 12) }

    private static var running: UInt32 { 1 }
    private static var withInterrupt: UInt32 { 8 }

    /// Ticks since the start, modulo 2^32. They do not change while the timer is stopped.
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

    /// Raises the timer's interrupt once, after `ticks`.
    func fire(after ticks: UInt32) {
        control.value = 0
        reload.value = ticks
        counter.value = ticks
        interruptStatus.value = 1
        control.value = Timer.running | Timer.withInterrupt
    }

    /// Stops the timer, so that no interrupt follows.
    package func silence() {
        control.value = 0
        interruptStatus.value = 1
    }
}

/// Computes the microseconds since the board started from a 32-bit count of 25 MHz ticks.
///
/// It must be read at least every 171 s, before the count wraps; the longest sleep is shorter. It can be stopped, and then
/// continue at a later time.
struct TickClock {
    private var microseconds: UInt64 = 0
    private var counted: UInt32 = 0
    /// Ticks after the last whole microsecond.
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

    /// Continues at `instant`, or at the time when it stopped if that is later.
    mutating func goOn(from instant: Instant) {
        if instant.microseconds > microseconds {
            microseconds = instant.microseconds
            rest = 0
        }
        Timer.clock.goOn()
    }
}
