/// GPIO at 0x50000000: 32 pins, their pull resistors, and the signal DETECT.
///
/// Source: nRF52832 Product Specification v1.4, chapter 20 (GPIO).
struct GPIO: Sendable {
    /// The changes of the pins since the last call of `settle`. Bit n stands for pin n.
    struct Edges: Sendable {
        var rising: UInt32
        var falling: UInt32
        /// Whether DETECT has risen. GPIOTE then raises its event PORT.
        var detects: Bool
    }

    private var output: UInt32 = 0
    private var direction: UInt32 = 0
    private var configuration: InlineArray<32, UInt32> = .init(repeating: 2)
    // Fields of PIN_CNF: one bit for each pin.
    private var connected: UInt32 = 0
    private var pulledUp: UInt32 = 0
    private var senseHigh: UInt32 = 0
    private var senseLow: UInt32 = 0
    private var disconnects0: UInt32 = 0
    private var disconnects1: UInt32 = 0
    private var latch: UInt32 = 0
    private var detectsLatch: UInt32 = 0
    private var isDetecting = false
    /// The pins that GPIOTE and PWM drive, and their levels. OUT and DIR have no effect on these pins.
    var owned = PinLevels()
    private(set) var levels: UInt32 = 0
    private var sensed: UInt32 = 0

    var outputs: UInt32 {
        let high = output & disconnects1
        let low = ~output & disconnects0
        return direction & ~high & ~low | owned.driven
    }
    /// The levels of the pins in `outputs`; 0 for all other pins.
    var outputLevels: UInt32 { outputs & (output & ~owned.driven | owned.levels) }

    /// Whether DETECT is high, which wakes the chip from System OFF.
    var wakes: Bool { isDetecting }

    /// Determines the pins' levels. A pin that nothing drives and nothing pulls up is low.
    mutating func settle(_ inputs: PinLevels) -> Edges {
        let free = inputs.levels & inputs.driven | pulledUp & ~inputs.driven
        let before = levels
        levels = outputLevels | free & ~outputs
        sensed = connected & (levels & senseHigh | ~levels & senseLow)
        latch |= sensed
        return Edges(rising: levels & ~before, falling: before & ~levels, detects: detect())
    }

    private mutating func detect() -> Bool {
        let before = isDetecting
        isDetecting = (detectsLatch != 0 ? latch : sensed) != 0
        return isDetecting && !before
    }

    func read(_ offset: UInt32) -> UInt32? {
        switch offset {
        case 0x504, 0x508, 0x50C: output
        case 0x510: levels & connected
        case 0x514, 0x518, 0x51C: direction
        case 0x520: latch
        case 0x524: detectsLatch
        case 0x700..<0x780: configuration[Int((offset &- 0x700) / 4)]
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32) -> Bool {
        switch offset {
        case 0x504: output = word
        case 0x508: output |= word
        case 0x50C: output &= ~word
        case 0x514: setDirection(word)
        case 0x518: setDirection(direction | word)
        case 0x51C: setDirection(direction & ~word)
        case 0x520:
            latch &= ~word
            // If a latch remains set, or its pin still has the sensed level, LDETECT falls and rises again.
            if detectsLatch != 0 { isDetecting = false }
        case 0x524: detectsLatch = word & 1
        case 0x700..<0x780: configure(Int((offset &- 0x700) / 4), word)
        case _: return false
        }
        return true
    }

    private mutating func setDirection(_ word: UInt32) {
        var changed = direction ^ word
        direction = word
        while changed != 0 {
            configuration[changed.trailingZeroBitCount] ^= 1
            changed &= changed &- 1
        }
    }

    private mutating func configure(_ pin: Int, _ word: UInt32) {
        configuration[pin] = word & 0x3_070F
        let bit: UInt32 = 1 &<< UInt32(pin)
        func set(_ mask: inout UInt32, _ isSet: Bool) { mask = isSet ? mask | bit : mask & ~bit }
        set(&direction, word & 1 != 0)
        set(&connected, word & 2 == 0)
        set(&pulledUp, word &>> 2 & 3 == 3)
        let drive = word &>> 8 & 7
        set(&disconnects0, drive == 4 || drive == 5)
        set(&disconnects1, drive == 6 || drive == 7)
        set(&senseHigh, word &>> 16 & 3 == 2)
        set(&senseLow, word &>> 16 & 3 == 3)
    }
}

/// GPIOTE has eight channels. Each channel connects a pin with an event or with tasks. The event PORT reports DETECT.
///
/// Source: nRF52832 Product Specification v1.4, chapter 21 (GPIOTE).
struct GPIOTE: Peripheral {
    private static let portEvent = 31
    private var events = EventRegisters(base: 0x4000_6000)
    private var configuration: InlineArray<8, UInt32> = .init(repeating: 0)
    private var eventPins: UInt32 = 0
    private(set) var owned = PinLevels()
    var isInterrupting: Bool { events.isInterrupting }

    mutating func settle(_ edges: GPIO.Edges, _ signals: inout Signals) {
        if edges.detects { events.raise(GPIOTE.portEvent, &signals) }
        guard (edges.rising | edges.falling) & eventPins != 0 else { return }
        for channel in 0..<8 where configuration[channel] & 3 == 1 {
            let polarity = configuration[channel] &>> 16
            let seen = (polarity & 1 != 0 ? edges.rising : 0) | (polarity & 2 != 0 ? edges.falling : 0)
            if seen & pin(channel) != 0 { events.raise(channel, &signals) }
        }
    }

    private func pin(_ channel: Int) -> UInt32 { 1 &<< (configuration[channel] &>> 8 & 31) }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x510..<0x530: configuration[Int((offset &- 0x510) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        let channel = Int(offset / 4 & 7)
        switch offset {
        case 0x000..<0x020 where word & 1 != 0:
            let polarity = configuration[channel] &>> 16 & 3
            drive(channel) { pin, level in polarity == 1 ? pin : polarity == 2 ? 0 : polarity == 3 ? level ^ pin : level
            }
        case 0x030..<0x050 where word & 1 != 0: drive(Int(offset &- 0x030) / 4) { pin, _ in pin }
        case 0x060..<0x080 where word & 1 != 0: drive(Int(offset &- 0x060) / 4) { _, _ in 0 }
        case 0x000..<0x020, 0x030..<0x050, 0x060..<0x080: break
        case 0x510..<0x530: configure(Int((offset &- 0x510) / 4), word & 0x13_1F03)
        case _: return events.write(word, to: offset)
        }
        return true
    }

    private mutating func drive(_ channel: Int, _ level: (_ pin: UInt32, _ level: UInt32) -> UInt32) {
        guard configuration[channel] & 3 == 3 else { return }
        let pin = pin(channel)
        owned.levels = owned.levels & ~pin | level(pin, owned.levels & pin)
    }

    private mutating func configure(_ channel: Int, _ word: UInt32) {
        if configuration[channel] & 3 == 3 {
            owned.driven &= ~pin(channel)
            owned.levels &= ~pin(channel)
        }
        configuration[channel] = word
        if word & 3 == 3 {
            owned.driven |= pin(channel)
            // OUTINIT: the initial level of the pin.
            if word &>> 20 & 1 != 0 { owned.levels |= pin(channel) }
        }
        eventPins = 0
        for channel in 0..<8 where configuration[channel] & 3 == 1 { eventPins |= pin(channel) }
    }
}
