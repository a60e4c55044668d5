import BoardSupport
import CCortexM
import WatchLink

/// The registers of a peripheral, by their offsets in bytes. All drivers take offsets and bits from the nRF52832 Product
/// Specification v1.4. If a comment gives a chapter or section and names no document, the comment means that specification.
struct Peripheral {
    let base: UInt

    subscript(offset: UInt) -> Register { Register(base + offset) }
}

/// The nRF52832. Has the addresses of the peripherals that this firmware uses (chapter 8), and controls crystal, watchdog,
/// sleep and reset.
package enum Part {
    static var clock: Peripheral { Peripheral(base: 0x4000_0000) }
    static var serial: Peripheral { Peripheral(base: 0x4000_2000) }
    static var spi: Peripheral { Peripheral(base: 0x4000_3000) }
    static var twi: Peripheral { Peripheral(base: 0x4000_4000) }
    static var pinEvents: Peripheral { Peripheral(base: 0x4000_6000) }
    static var analog: Peripheral { Peripheral(base: 0x4000_7000) }
    static var random: Peripheral { Peripheral(base: 0x4000_D000) }
    static var watchdog: Peripheral { Peripheral(base: 0x4001_0000) }
    static var realTime: Peripheral { Peripheral(base: 0x4001_1000) }
    static var flashController: Peripheral { Peripheral(base: 0x4001_E000) }
    static var pins: Peripheral { Peripheral(base: 0x5000_0000) }

    /// The interrupt number of a peripheral, which is bits 12 to 19 of the peripheral's address (chapter 15).
    enum Interrupt: UInt32 {
        case clock = 0
        case serial = 2
        case spi = 3
        case twi = 4
        case pinEvents = 6
        case realTime = 17
    }

    /// Enables an interrupt in the NVIC (ARMv7-M Architecture Reference Manual, B3.4).
    static func enable(_ interrupt: Interrupt) {
        Register(0xE000_E100).value = 1 &<< interrupt.rawValue
    }

    /// Starts the crystal of 32,768 Hz (chapter 19), and waits until it runs, typically for a quarter of a second. Then starts
    /// `RealTimeClock` and the watchdog.
    static func start() {
        // Erratum 108: without this, RAM may lose bits when the processor wakes.
        Register(0x4000_0EE4).value = Register(0x1000_0258).value & 0x4F
        freeTouchReset()
        clock[0x518].value = 1
        clock[0x304].value = 1 &<< 1
        enable(.clock)
        clock[0x008].value = 1
        while clock[0x104].value == 0 { sleep(if: { clock[0x104].value == 0 }) }
        RealTimeClock.start()
        startWatchdog()
    }

    /// Disables the interrupt that reports a stable crystal.
    package static func handleClock() {
        clock[0x308].value = 1 &<< 1
    }

    /// Makes P0.10 a general pin, because it is wired to the touch controller's reset input. If UICR.NFCPINS reserves P0.10 for
    /// NFC, changes NFCPINS and resets the nRF52832 (chapters 14 and 11).
    private static func freeTouchReset() {
        let choice = Register(0x1000_120C)
        guard choice.value & 1 != 0 else { return }
        flashController[0x504].value = 1
        while flashController[0x400].value == 0 {}
        choice.value = ~1
        while flashController[0x400].value == 0 {}
        flashController[0x504].value = 0
        reset()
    }

    /// Sets AIRCR.SYSRESETREQ with its key (ARMv7-M, B3.2.6).
    static func reset() -> Never {
        synchronize()
        Register(0xE000_ED0C).value = 0x05FA_0004
        synchronize()
        while true { wait_for_interrupt() }
    }

    /// Half of the watchdog's period.
    static var longestSleep: Microseconds { .milliseconds(4_000) }

    /// Starts the watchdog (chapter 40), which resets the nRF52832 8 s after the last `feedWatchdog`. It also counts during
    /// sleep, but not while a debugger halts the processor.
    private static func startWatchdog() {
        watchdog[0x50C].value = 1
        watchdog[0x504].value = 8 * RealTimeClock.ticksPerSecond - 1
        watchdog[0x508].value = 1
        watchdog[0x000].value = 1
    }

    static func feedWatchdog() {
        watchdog[0x600].value = 0x6E52_4635
    }

    /// Sleeps until an interrupt, if `isNeeded` returns true. Masks interrupts before it calls `isNeeded`. So an interrupt that
    /// comes between this call and the sleep still wakes the processor.
    static func sleep(if isNeeded: () -> Bool) {
        mask_interrupts()
        if isNeeded() { wait_for_interrupt() }
        unmask_interrupts()
    }

    /// Waits at least this number of microseconds. 16 reads of a peripheral take at least 1 us, because each takes at least
    /// 4 cycles at 64 MHz.
    static func delay(microseconds: Int) {
        for _ in 0..<16 &* microseconds { _ = pins[0x510].value }
    }

    /// Reads 64 random bits from the hardware generator, with bias correction (chapter 26).
    static func randomNumber() -> UInt64 {
        random[0x504].value = 1
        random[0x000].value = 1
        var number: UInt64 = 0
        for _ in 0..<8 {
            while random[0x100].value == 0 {}
            random[0x100].value = 0
            number = number &<< 8 | UInt64(word: random[0x508].value & 0xFF)
        }
        random[0x004].value = 1
        return number
    }
}

/// Memory that the main program shares with interrupt handlers or EasyDMA. The linker script reserves it, and the start-up
/// code sets it to zero. Access must be volatile, so use `Register` or `SharedByte` with an address.
enum SharedMemory {
    enum Word: UInt8 {
        case spiNext, spiLeft, spiDirection, spiBusy
        case spiCommand
        case serialWritten, serialRead, serialNext, serialLeft, serialBusy
        case inputsWritten, inputsRead
        /// One bit for each pin. In `watchedPins`, the bit is 1 if `PinChanges` handles the pin's changes. In `pinLevels`, it
        /// is the pin's last known level.
        case watchedPins, pinLevels
        /// How far the crown has turned since it was last at rest, in quarters of a detent. A signed number, positive towards
        /// later rows.
        case crownQuarters
        /// The clock's count at the touch controller's last interrupt.
        case touchTicks
        /// 1 + x + 4,096 y for the last reported position of the finger; 0 if no finger touches the panel.
        case finger
        case touchCommand
        case touchReport, touchReportEnd
        /// `motorPulses` is the number of pulses that are left, including the present one. `motorLength` is the length of
        /// each pulse in ticks of `RealTimeClock`.
        case motorPulses, motorLength
        case batteryLevel
        /// 1 while a debugger asks for a description of the screen.
        case descriptionRequest
        case console
        // The console's control block: 12 words.
    }

    private static var base: UInt { UInt(address_of_shared_start()) }

    static func address(of word: Word) -> UInt { base + 4 * UInt(word.rawValue) }

    static func word(_ word: Word) -> Register { Register(address(of: word)) }

    static func dmaAddress(of word: Word) -> UInt32 { UInt32(truncatingIfNeeded: address(of: word)) }

    // After the words: the console's text, the queue of inputs, and the ring of the serial line.
    static var consoleText: UInt { base + 160 }
    static var consoleSize: UInt32 { 256 }
    static var inputs: UInt { consoleText + UInt(consoleSize) }
    static var inputCapacity: UInt32 { 32 }
    static var serialBytes: UInt { inputs + 8 * UInt(inputCapacity) }
    /// The size of the serial ring in bytes. Must be a power of two.
    static var serialCapacity: UInt32 { 1_024 }
    /// The size of this memory in bytes: 160 for the words, 256 for the console's text, 256 for the inputs and 1,024 for the
    /// serial ring. `shared_size` in each linker script must have this value.
    static var size: UInt { 1_696 }
}
