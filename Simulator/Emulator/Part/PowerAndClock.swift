/// POWER and CLOCK, which share their base.
///
/// Source: nRF52832 Product Specification v1.4, chapters 18 (POWER) and 19 (CLOCK).
struct PowerAndClock: Peripheral {
    private enum Event {
        static let highFrequencyStarted = 0
        static let lowFrequencyStarted = 1
        static let calibrated = 3
        static let calibrationTimeout = 4
    }

    private enum Oscillator: Sendable {
        case off
        case starting(ready: UInt64)
        case running
    }

    // Typical times: the start of the 32 MHz crystal (Nordic's forum, "How does radio behave if HFXO is not stable?"), of the
    // 32,768 Hz crystal and of the RC oscillator, and the calibration of the RC oscillator.
    static let crystalTime = UInt64.microseconds(360)
    static let lowCrystalTime = UInt64.milliseconds(250)
    static let lowRCTime = UInt64.microseconds(600)
    private static let calibrationTime = UInt64.milliseconds(16)
    /// The unit of CTIV, the interval between calibrations.
    private static let calibrationUnit = UInt64.milliseconds(250)

    private var events = EventRegisters(base: 0x4000_0000)
    private var highFrequency = Oscillator.off
    private var lowFrequency = Oscillator.off
    private var source: UInt32 = 0
    /// The source field of LFCLKSRC when the task LFCLKSTART last started the clock.
    private var startedSource: UInt32 = 0
    private var interval: UInt32 = 0
    private var calibrated: UInt64?
    private var timeout: UInt64?
    private var reasons: UInt32 = 0
    private var retained: InlineArray<2, UInt32> = .init(repeating: 0)
    private var powerFailure: UInt32 = 0
    private var isRegulated: UInt32 = 0
    private var trace: UInt32 = 0
    private var sections: InlineArray<8, UInt32> = .init(repeating: 0xFFFF)
    private(set) var isOff = false
    var isInterrupting: Bool { events.isInterrupting }

    /// Whether LFCLK runs. Here, it runs from the task LFCLKSTART on. On the chip, the RC oscillator supplies the clock while
    /// the crystal starts.
    var hasLowFrequency: Bool { if case .off = lowFrequency { false } else { true } }

    var due: UInt64 {
        var next = min(calibrated ?? .max, timeout ?? .max)
        if case .starting(let ready) = highFrequency { next = min(next, ready) }
        if case .starting(let ready) = lowFrequency { next = min(next, ready) }
        return next
    }

    /// Adds the reason to RESETREAS. Resets the other registers as the specification's table of reset behaviour says.
    mutating func restart(_ reason: ResetReason) {
        let before = self
        self = PowerAndClock()
        reasons = before.reasons | reason.bit
        switch reason {
        // These two also reset the retained registers, GPREGRET and GPREGRET2.
        case .pin, .watchdog: break
        case .software, .lockup, .wake: retained = before.retained
        }
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        let now = signals.now
        if case .starting(let ready) = highFrequency, ready <= now {
            highFrequency = .running
            events.raise(Event.highFrequencyStarted, &signals)
        }
        if case .starting(let ready) = lowFrequency, ready <= now {
            lowFrequency = .running
            events.raise(Event.lowFrequencyStarted, &signals)
        }
        if let end = calibrated, end <= now {
            calibrated = nil
            events.raise(Event.calibrated, &signals)
        }
        if let end = timeout, end <= now {
            timeout = nil
            events.raise(Event.calibrationTimeout, &signals)
        }
    }

    private func isRunning(_ oscillator: Oscillator) -> Bool { if case .running = oscillator { true } else { false } }
    private func isStarted(_ oscillator: Oscillator) -> UInt32 { if case .off = oscillator { 0 } else { 1 } }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000..<0x01C, 0x078, 0x07C: 0
        case 0x400: reasons
        case 0x408: isStarted(highFrequency)
        // HFCLKSTAT: bit 16 says that HFCLK runs, bit 0 that its source is the crystal.
        case 0x40C: 1 &<< 16 | (isRunning(highFrequency) ? 1 : 0)
        case 0x414: isStarted(lowFrequency)
        // LFCLKSTAT: bit 16 says that LFCLK runs, bits 0 and 1 give its source. Here, all are 0 until the event LFCLKSTARTED.
        case 0x418: isRunning(lowFrequency) ? 1 &<< 16 | startedSource : 0
        case 0x41C: startedSource
        case 0x428: 0xF
        case 0x500: 0
        case 0x510: powerFailure
        case 0x518: source
        case 0x51C: retained[0]
        case 0x520: retained[1]
        case 0x538: interval
        case 0x55C: trace
        case 0x578: isRegulated
        case 0x900..<0x980: sections[Int((offset &- 0x900) / 16)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000..<0x01C: if word & 1 != 0 { perform(offset, &signals) }
        // CONSTLAT and LOWPWR have no effect here.
        case 0x078, 0x07C: break
        case 0x400: reasons &= ~word
        case 0x500: isOff = word & 1 != 0
        case 0x510: powerFailure = word & 0x1F
        case 0x518: if case .off = lowFrequency { source = word & 0x3_0003 }
        case 0x51C: retained[0] = word & 0xFF
        case 0x520: retained[1] = word & 0xFF
        case 0x538: interval = word & 0x7F
        case 0x55C: trace = word & 0x3_0003
        case 0x578: isRegulated = word & 1
        case 0x900..<0x980: changeSection(Int((offset &- 0x900) / 16), offset & 15, word)
        case _: return events.write(word, to: offset)
        }
        return true
    }

    /// Handles a write to POWER, POWERSET or POWERCLR of a RAM section, which switches the power of parts of that section.
    /// Here, RAM without power keeps its content.
    private mutating func changeSection(_ section: Int, _ register: UInt32, _ word: UInt32) {
        switch register {
        case 0: sections[section] = word
        case 4: sections[section] |= word
        case 8: sections[section] &= ~word
        case _: break
        }
    }

    private mutating func perform(_ task: UInt32, _ signals: inout Signals) {
        let now = signals.now
        switch (task, highFrequency, lowFrequency) {
        case (0x000, .off, _): highFrequency = .starting(ready: now &+ PowerAndClock.crystalTime)
        // If the clock already runs, the event follows at once.
        case (0x000, .running, _): events.raise(Event.highFrequencyStarted, &signals)
        case (0x008, _, .running): events.raise(Event.lowFrequencyStarted, &signals)
        case (0x004, _, _): highFrequency = .off
        case (0x008, _, .off):
            startedSource = source & 3
            let time = startedSource == 1 ? PowerAndClock.lowCrystalTime : PowerAndClock.lowRCTime
            lowFrequency = .starting(ready: now &+ time)
        case (0x00C, _, _): lowFrequency = .off
        // If HFCLK's crystal does not run, the calibration never ends.
        case (0x010, .running, _): calibrated = now &+ PowerAndClock.calibrationTime
        case (0x014, _, _): timeout = now &+ UInt64(max(interval, 1)) &* PowerAndClock.calibrationUnit
        case (0x018, _, _): timeout = nil
        case _: break
        }
    }
}

package enum ResetReason: Equatable, Sendable {
    case pin, watchdog, software, lockup
    /// The signal DETECT woke the chip from System OFF.
    case wake

    var bit: UInt32 {
        switch self {
        case .pin: 1
        case .watchdog: 2
        case .software: 4
        case .lockup: 8
        case .wake: 1 << 16
        }
    }
}
