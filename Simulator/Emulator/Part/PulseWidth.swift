/// A PWM with four channels, whose compare values come from RAM. It sets a channel's pin at each edge of the channel's pulse.
///
/// The counter mode UpAndDown and the WaveForm decoder are not modelled.
/// Source: nRF52832 Product Specification v1.4, chapter 47 (PWM).
struct PulseWidth: Peripheral {
    private enum Event {
        static let stopped = 1
        static let sequenceStarted = 2
        static let sequenceEnd = 4
        static let periodEnd = 6
        static let loopsDone = 7
    }

    private struct Sequence: Sendable {
        var pointer: UInt32 = 0
        var count: UInt32 = 0
        var refresh: UInt32 = 1
        var delay: UInt32 = 0
    }

    private struct Period: Sendable {
        var sequence: Int
        var start: UInt64
        /// The index of the value in RAM with which the sequence's next step begins.
        var next: UInt32
        /// How many more periods the present step lasts.
        var repeats: UInt32
        var values: InlineArray<4, UInt32>
    }

    private enum State: Sendable {
        case stopped
        case running(Period)
        /// The sequence has ended. The pulses continue with its last values.
        case holding(Period)
        /// The task STOP or a shortcut stops the PWM at the end of the period.
        case stopping(Period)
    }

    private var events: EventRegisters
    private var isEnabled: UInt32 = 0
    private var mode: UInt32 = 0
    private var top: UInt32 = 0x3FF
    private var prescaler: UInt32 = 0
    private var decoder: UInt32 = 0
    private var loops: UInt32 = 0
    private var left: UInt32 = 0
    private var sequences: InlineArray<2, Sequence> = .init(repeating: Sequence())
    private var pins: InlineArray<4, UInt32> = .init(repeating: .max)
    private var state = State.stopped
    private(set) var owned = PinLevels()
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    init(base: UInt32) {
        events = EventRegisters(base: base)
    }

    private var cyclesPerTick: UInt64 { 4 &<< UInt64(prescaler) }
    private var length: UInt64 { UInt64(max(top, 3)) &* cyclesPerTick }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        switch state {
        case .stopped: break
        case .running(let period) where signals.now >= period.start &+ length:
            events.raise(Event.periodEnd, &signals)
            end(period, &memory, &signals)
        case .holding(var period) where signals.now >= period.start &+ length:
            events.raise(Event.periodEnd, &signals)
            period.start &+= length
            state = .holding(period)
        case .stopping(let period) where signals.now >= period.start &+ length:
            state = .stopped
            events.raise(Event.periodEnd, &signals)
            events.raise(Event.stopped, &signals)
        case .running, .holding, .stopping: break
        }
        settle(signals.now)
    }

    private mutating func end(_ ended: Period, _ memory: inout MemoryMap, _ signals: inout Signals) {
        var period = ended
        period.start &+= length
        if period.repeats > 0 {
            period.repeats -= 1
            state = .running(period)
        } else if period.next < sequences[period.sequence].count {
            load(&period, &memory, &signals)
            state = .running(period)
        } else {
            events.raise(Event.sequenceEnd + period.sequence, &signals)
            // The shortcuts SEQEND0_STOP and SEQEND1_STOP.
            if events.hasShortcut(period.sequence) { return state = .stopping(period) }
            if left == 0 { return state = .holding(period) }
            if period.sequence == 1 {
                left -= 1
                if left == 0 {
                    state = .holding(period)
                    return finishLoops(&memory, &signals)
                }
            }
            begin(1 - period.sequence, at: period.start, &memory, &signals)
        }
    }

    private mutating func finishLoops(_ memory: inout MemoryMap, _ signals: inout Signals) {
        events.raise(Event.loopsDone, &signals)
        // The shortcuts LOOPSDONE_SEQSTART0, LOOPSDONE_SEQSTART1 and LOOPSDONE_STOP.
        for task: UInt32 in 0..<3 where events.hasShortcut(2 + Int(task)) {
            perform(task == 2 ? 0x004 : 0x008 &+ 4 &* task, &memory, &signals)
        }
    }

    private mutating func begin(_ sequence: Int, at cycle: UInt64, _ memory: inout MemoryMap, _ signals: inout Signals)
    {
        var period = Period(sequence: sequence, start: cycle, next: 0, repeats: 0, values: .init(repeating: 0))
        load(&period, &memory, &signals)
        state = .running(period)
        events.raise(Event.sequenceStarted + sequence, &signals)
    }

    /// Loads a step's values from RAM. DECODER says whether there is one value for all channels, one for each pair, or one for
    /// each channel.
    private func load(_ period: inout Period, _ memory: inout MemoryMap, _ signals: inout Signals) {
        let count: UInt32 = 1 &<< min(decoder & 3, 2)
        let sequence = sequences[period.sequence]
        let address = sequence.pointer &+ 2 &* period.next
        let bytes = memory.transfer(from: address, count: Int(2 * count), &signals)
        for channel in 0..<4 {
            let index = channel * Int(count) / 4
            period.values[channel] = UInt32(bytes[2 * index]) | UInt32(bytes[2 * index + 1]) &<< 8
        }
        period.next &+= count
        period.repeats = sequence.refresh &+ (period.next >= sequence.count ? sequence.delay : 0)
    }

    /// Sets the pins' levels at `cycle`. Sets `due` to the next edge or the end of the period.
    private mutating func settle(_ cycle: UInt64) {
        owned = PinLevels()
        due = .max
        let active: Period?
        switch state {
        case .stopped: active = nil
        case .running(let period), .holding(let period), .stopping(let period):
            active = period
            due = period.start &+ length
        }
        for channel in 0..<4 where pins[channel] &>> 31 == 0 && isEnabled != 0 {
            let pin: UInt32 = 1 &<< (pins[channel] & 31)
            owned.driven |= pin
            guard let period = active else { continue }
            // Bit 15 is the polarity: 1 if the period begins high.
            let value = period.values[channel]
            let edge = period.start &+ UInt64(min(value & 0x7FFF, top)) &* cyclesPerTick
            if (cycle < edge) == (value &>> 15 != 0) { owned.levels |= pin }
            if cycle < edge { due = min(due, edge) }
        }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        let sequence = Int((offset &- 0x520) / 0x20 & 1)
        return switch offset {
        case 0x004..<0x014: 0
        case 0x500: isEnabled
        case 0x504: mode
        case 0x508: top
        case 0x50C: prescaler
        case 0x510: decoder
        case 0x514: loops
        case 0x520, 0x540: sequences[sequence].pointer
        case 0x524, 0x544: sequences[sequence].count
        case 0x528, 0x548: sequences[sequence].refresh
        case 0x52C, 0x54C: sequences[sequence].delay
        case 0x560..<0x570: pins[Int((offset &- 0x560) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        let sequence = Int((offset &- 0x520) / 0x20 & 1)
        switch offset {
        case 0x004..<0x014: if word & 1 != 0, isEnabled != 0 { perform(offset, &memory, &signals) }
        case 0x500: isEnabled = word & 1
        case 0x504: mode = word & 1
        case 0x508: top = word & 0x7FFF
        case 0x50C: prescaler = word & 7
        case 0x510: decoder = word & 0x103
        case 0x514: loops = word & 0xFFFF
        case 0x520, 0x540: sequences[sequence].pointer = word
        case 0x524, 0x544: sequences[sequence].count = word & 0x7FFF
        case 0x528, 0x548: sequences[sequence].refresh = word & 0xFF_FFFF
        case 0x52C, 0x54C: sequences[sequence].delay = word & 0xFF_FFFF
        case 0x560..<0x570: pins[Int((offset &- 0x560) / 4)] = word
        case _: return events.write(word, to: offset)
        }
        settle(signals.now)
        // Refuses the modes that are not modelled.
        return !(offset == 0x504 && mode != 0) && !(offset == 0x510 && decoder & 3 == 3)
    }

    private mutating func perform(_ task: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) {
        switch (task, state) {
        case (0x004, .stopped): events.raise(Event.stopped, &signals)
        case (0x004, .running(let period)), (0x004, .holding(let period)): state = .stopping(period)
        case (0x008, _), (0x00C, _):
            left = loops
            begin(Int(task &- 0x008) / 4, at: signals.now, &memory, &signals)
        case _: break
        }
    }
}
