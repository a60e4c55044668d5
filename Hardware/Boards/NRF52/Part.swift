import BoardSupport
import CCortexM
import WatchLink

/// The registers of a peripheral. Offsets and bits are from the nRF52832 Product Specification v1.4; each driver names its
/// section.
struct Peripheral {
    let base: UInt

    subscript(offset: UInt) -> Register { Register(base + offset) }
}

/// The nRF52832 as a whole: the peripherals that this firmware uses (section 8.3), clocks, watchdog and sleep.
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

    /// An interrupt of a peripheral has the number of its address (section 7.3.2).
    enum Interrupt: UInt32 {
        case clock = 0
        case serial = 2
        case spi = 3
        case twi = 4
        case pinEvents = 6
        case realTime = 17
    }

    /// ARMv7-M Architecture Reference Manual, B3.4.
    static func enable(_ interrupt: Interrupt) {
        Register(0xE000_E100).value = 1 &<< interrupt.rawValue
    }

    /// Starts the crystal of 32,768 Hz (section 19.4) and the watchdog.
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

    /// For the interrupt handler: the crystal is stable, which takes a quarter of a second.
    package static func handleClock() {
        clock[0x308].value = 1 &<< 1
    }

    /// P0.10 resets the touch controller. It is a pin of NFC until UICR.NFCPINS says otherwise, which takes a reset
    /// (sections 14 and 11.2).
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

    /// AIRCR.SYSRESETREQ with its key (ARMv7-M, B3.2.6).
    static func reset() -> Never {
        synchronize()
        Register(0xE000_ED0C).value = 0x05FA_0004
        synchronize()
        while true { wait_for_interrupt() }
    }

    /// The longest sleep: half of the watchdog's time.
    static var longestSleep: Microseconds { .milliseconds(4_000) }

    /// The watchdog (section 33) resets the part 8 s after it was fed, also during sleep. It stands while a debugger halts the
    /// processor.
    private static func startWatchdog() {
        watchdog[0x50C].value = 1
        watchdog[0x504].value = 8 * RealTimeClock.ticksPerSecond - 1
        watchdog[0x508].value = 1
        watchdog[0x000].value = 1
    }

    static func feedWatchdog() {
        watchdog[0x600].value = 0x6E52_4635
    }

    /// Sleeps until an interrupt if `isNeeded`. Interrupts are masked between the answer and the sleep, so that none is missed.
    static func sleep(if isNeeded: () -> Bool) {
        mask_interrupts()
        if isNeeded() { wait_for_interrupt() }
        unmask_interrupts()
    }

    /// Waits for at least this time without sleep. A read of a peripheral takes at least 4 cycles of 1/64 us.
    static func delay(microseconds: Int) {
        for _ in 0..<16 &* microseconds { _ = pins[0x510].value }
    }

    /// A random number of the generator with its bias correction (section 27).
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

/// Words that interrupt handlers share with the main program, and buffers that EasyDMA reaches. The linker script has the memory,
/// all zero at the start.
///
/// They are addresses and not variables, because every access has to be volatile.
enum SharedMemory {
    enum Word: UInt8 {
        case spiNext, spiLeft, spiDirection, spiBusy
        /// The command of a device on SPI.
        case spiCommand
        case serialWritten, serialRead, serialNext, serialLeft, serialBusy
        case inputsWritten, inputsRead
        /// The pins whose changes matter, and their levels when the handler looked last.
        case watchedPins, pinLevels
        /// Quarters of a detent since the crown was at rest, in two's complement.
        case crownQuarters
        /// The count of the clock at the last interrupt of the touch controller.
        case touchTicks
        /// 0, or 1 + the place of the finger as `Inputs` has it.
        case finger
        case touchCommand
        /// Six bytes.
        case touchReport, touchReportEnd
        /// Pulses of the motor that are left, with the present one, and their length in ticks.
        case motorPulses, motorLength
        case batteryLevel
        /// 1 while a debugger asks for a description of the screen.
        case descriptionRequest
        case console
        // The control block of the console: 12 words.
    }

    private static var base: UInt { UInt(address_of_shared_start()) }

    static func address(of word: Word) -> UInt { base + 4 * UInt(word.rawValue) }

    static func word(_ word: Word) -> Register { Register(address(of: word)) }

    static func dmaAddress(of word: Word) -> UInt32 { UInt32(truncatingIfNeeded: address(of: word)) }

    // Behind the words: the console's text, inputs and bytes of the serial line.
    static var consoleText: UInt { base + 160 }
    static var consoleSize: UInt32 { 256 }
    static var inputs: UInt { consoleText + UInt(consoleSize) }
    static var inputCapacity: UInt32 { 32 }
    static var serialBytes: UInt { inputs + 8 * UInt(inputCapacity) }
    /// A power of two.
    static var serialCapacity: UInt32 { 1_024 }
    /// 160 + 256 + 256 + 1,024, as the linker scripts have it.
    static var size: UInt { 1_696 }
}
