import BoardSupport

/// A timer that counts down at 25 MHz: the APB timer of the Cortex-M System Design Kit (Arm DDI 0479, section 4.2).
package struct Timer {
    private let base: UInt

    private init(base: UInt) {
        self.base = base
    }

    /// What the board's clock counts with.
    static var clock: Timer { Timer(base: 0x4000_0000) }
    /// What ends a sleep.
    package static var alarm: Timer { Timer(base: 0x4000_1000) }

    /// Ticks in a microsecond.
    static var ticksPerMicrosecond: UInt32 { 25 }

    private var control: Register { Register(base) }
    private var counter: Register { Register(base + 4) }
    private var reload: Register { Register(base + 8) }
    private var interruptStatus: Register { Register(base + 12) }

    private static var running: UInt32 { 1 }
    private static var withInterrupt: UInt32 { 8 }

    /// Ticks since it began to run from its full range, modulo 2^32. It does not change while the timer is stopped.
    var ticks: UInt32 { ~counter.value }

    func start() {
        reload.value = .max
        counter.value = .max
        control.value = Timer.running
    }

    /// Resumes it from where it was stopped.
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

    /// Ends a wait: no further interrupt. For its interrupt handler, and for whoever woke for another reason.
    package func silence() {
        control.value = 0
        interruptStatus.value = 1
    }
}
