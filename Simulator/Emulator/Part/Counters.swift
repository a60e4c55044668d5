/// A TIMER. In timer mode, it counts a clock of 16 MHz through a prescaler. In counter mode, it counts how often the task COUNT
/// is triggered.
///
/// Source: nRF52832 Product Specification v1.4, chapter 24 (TIMER).
struct Timer: Peripheral {
    private enum Count: Sendable {
        case stopped(at: UInt32)
        case running(from: UInt32, since: UInt64)
    }

    private var events: EventRegisters
    private let channels: Int
    private var count = Count.stopped(at: 0)
    private var compare: InlineArray<6, UInt32> = .init(repeating: 0)
    private var mode: UInt32 = 0
    private var width: UInt32 = 0
    private var prescaler: UInt32 = 4
    private var checked: UInt64 = 0
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    /// - Parameter channels: the number of CC registers: 6 for TIMER3 and TIMER4, otherwise 4.
    init(base: UInt32, channels: Int) {
        events = EventRegisters(base: base)
        self.channels = channels
    }

    private var isTimer: Bool { mode == 0 }
    private var cyclesPerTick: UInt64 { 4 &<< UInt64(prescaler) }
    private var mask: UInt32 {
        // BITMODE: 16, 8, 24 or 32 bits.
        switch width {
        case 0: 0xFFFF
        case 1: 0xFF
        case 2: 0xFF_FFFF
        case _: .max
        }
    }

    private func value(at cycle: UInt64) -> UInt32 {
        switch count {
        case .stopped(let value): value
        case .running(let value, let start):
            isTimer ? (value &+ UInt32(truncatingIfNeeded: (cycle &- start) / cyclesPerTick)) & mask : value
        }
    }

    private mutating func schedule() {
        due = .max
        guard isTimer, case .running = count else { return }
        for channel in 0..<channels { due = min(due, match(of: channel)) }
    }

    /// Returns the first cycle after `checked` at which the counter reaches the channel's compare value. A counter that already
    /// has this value must first wrap around. Returns `.max` if the timer is stopped.
    private func match(of channel: Int) -> UInt64 {
        guard case .running(let value, let start) = count else { return .max }
        let ticks = (checked &- start) / cyclesPerTick
        let distance = UInt64((compare[channel] &- value &- UInt32(truncatingIfNeeded: ticks)) & mask)
        return start &+ (ticks &+ (distance == 0 ? UInt64(mask) &+ 1 : distance)) &* cyclesPerTick
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        while due <= signals.now {
            let at = due
            var matched: UInt32 = 0
            for channel in 0..<channels where match(of: channel) == at { matched |= 1 &<< UInt32(channel) }
            checked = at
            for channel in 0..<channels where matched &>> UInt32(channel) & 1 != 0 { reach(channel, at, &signals) }
            schedule()
        }
    }

    private mutating func reach(_ channel: Int, _ cycle: UInt64, _ signals: inout Signals) {
        events.raise(16 + channel, &signals)
        if events.hasShortcut(channel) { clear(cycle) }
        if events.hasShortcut(8 + channel) { count = .stopped(at: value(at: cycle)) }
    }

    private mutating func clear(_ cycle: UInt64) {
        switch count {
        case .stopped: count = .stopped(at: 0)
        case .running: count = .running(from: 0, since: cycle)
        }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x504: mode
        case 0x508: width
        case 0x510: prescaler
        case 0x540..<0x558 where Int((offset &- 0x540) / 4) < channels: compare[Int((offset &- 0x540) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        let now = signals.now
        switch offset {
        case 0x000..<0x014: if word & 1 != 0 { perform(offset, &signals) }
        case 0x040..<0x058 where Int((offset &- 0x040) / 4) < channels:
            if word & 1 != 0 { compare[Int((offset &- 0x040) / 4)] = value(at: now) }
        case 0x504: mode = word & 3
        case 0x508: width = word & 3
        case 0x510: prescaler = min(word & 15, 9)
        case 0x540..<0x558 where Int((offset &- 0x540) / 4) < channels:
            compare[Int((offset &- 0x540) / 4)] = word & mask
        case _: return events.write(word, to: offset)
        }
        checked = now
        schedule()
        return true
    }

    private mutating func perform(_ task: UInt32, _ signals: inout Signals) {
        let value = value(at: signals.now)
        switch (task, count) {
        case (0x000, .stopped): count = .running(from: value, since: signals.now)
        case (0x004, .running): count = .stopped(at: value)
        case (0x008, .running) where !isTimer:
            let next = (value &+ 1) & mask
            count = .running(from: next, since: signals.now)
            for channel in 0..<channels where compare[channel] == next { reach(channel, signals.now, &signals) }
        case (0x00C, _): clear(signals.now)
        case (0x010, _): count = .stopped(at: 0)
        case _: break
        }
    }
}

/// An RTC: a counter of 24 bits that counts the 32,768 Hz clock through a prescaler of 12 bits.
///
/// The RTC sees a triggered task or a new compare value after 0.5 to 1.5 ticks. So the compare value COUNTER + 2 always
/// matches, but the compare value COUNTER + 1 may not match. Here, the task STOP acts at once.
/// Source: nRF52832 Product Specification v1.4, chapter 25 (RTC), including the jitter of section 25.8.
struct RTC: Peripheral {
    private enum Count: Sendable {
        case stopped(at: UInt32)
        /// The task START was triggered, but LFCLK does not run.
        case waiting(at: UInt32)
        /// The counter has the value `from` until the 32,768 Hz clock reaches its tick number `tick`. Then the counter counts.
        case running(from: UInt32, tick: UInt64)
    }

    private static let tick = 0
    private static let overflow = 1
    private static let mask: UInt32 = 0xFF_FFFF
    private var events: EventRegisters
    private let channels: Int
    /// EVTEN: bit n is set if the RTC passes event n to PPI.
    private var routed: UInt32 = 0
    private var count = Count.stopped(at: 0)
    private var compare: InlineArray<4, UInt32> = .init(repeating: 0)
    /// For each channel, the first tick of the 32,768 Hz clock at which it can match.
    private var comparesFrom: InlineArray<4, UInt64> = .init(repeating: 0)
    private var prescaler: UInt32 = 0
    private var isClocked = false
    private var checked: UInt64 = 0
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    /// - Parameter channels: the number of CC registers: 3 for RTC0, otherwise 4.
    init(base: UInt32, channels: Int) {
        events = EventRegisters(base: base)
        self.channels = channels
    }

    private var period: UInt64 { UInt64(prescaler) &+ 1 }

    private func value(at tick: UInt64) -> UInt32 {
        switch count {
        case .stopped(let value), .waiting(let value): value
        case .running(let value, let start):
            tick <= start ? value : (value &+ UInt32(truncatingIfNeeded: (tick &- start) / period)) & RTC.mask
        }
    }

    mutating func setClock(_ isRunning: Bool, at cycle: UInt64) {
        isClocked = isRunning
        let value = value(at: LowFrequencyClock.tick(at: cycle))
        switch count {
        case .stopped: break
        case .waiting: start(from: value, cycle)
        case .running: if !isRunning { count = .waiting(at: value) }
        }
        schedule()
    }

    private mutating func start(from value: UInt32, _ cycle: UInt64) {
        count = isClocked ? .running(from: value, tick: LowFrequencyClock.tick(seeing: cycle)) : .waiting(at: value)
    }

    private func isWanted(_ event: Int) -> Bool { (events.enabled | routed) &>> UInt32(event) & 1 != 0 }

    private mutating func schedule() {
        due = .max
        guard case .running = count else { return }
        var next = UInt64.max
        if isWanted(RTC.tick) { next = min(next, increment(to: value(at: checked) &+ 1, notBefore: 0)) }
        if isWanted(RTC.overflow) { next = min(next, increment(to: 0, notBefore: 0)) }
        for channel in 0..<channels where isWanted(16 + channel) { next = min(next, match(of: channel)) }
        if next != .max { due = LowFrequencyClock.cycle(ofTick: next) }
    }

    private func match(of channel: Int) -> UInt64 {
        increment(to: compare[channel], notBefore: comparesFrom[channel])
    }

    /// Returns the tick at which the counter next becomes `goal`. This tick is later than `checked`, and not before `first`.
    private func increment(to goal: UInt32, notBefore first: UInt64) -> UInt64 {
        guard case .running(let value, let start) = count else { return .max }
        let from = max(checked, start, first == 0 ? 0 : first &- 1)
        let steps = (from &- start) / period
        let distance = UInt64((goal &- value &- UInt32(truncatingIfNeeded: steps)) & RTC.mask)
        return start &+ (steps &+ (distance == 0 ? UInt64(RTC.mask) &+ 1 : distance)) &* period
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        while due <= signals.now {
            let tick = LowFrequencyClock.tick(at: due)
            let isIncrement = increment(to: value(at: tick), notBefore: 0) == tick
            if isIncrement { occur(RTC.tick, &signals) }
            if isIncrement, value(at: tick) == 0 { occur(RTC.overflow, &signals) }
            for channel in 0..<channels where match(of: channel) == tick { occur(16 + channel, &signals) }
            checked = tick
            schedule()
        }
    }

    /// Raises an event if INTEN or EVTEN enables it. The event reaches PPI only if EVTEN enables it.
    private mutating func occur(_ event: Int, _ signals: inout Signals) {
        guard isWanted(event) else { return }
        if routed &>> UInt32(event) & 1 != 0 { events.raise(event, &signals) } else { events.record(event) }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x340, 0x344, 0x348: routed
        case 0x504: value(at: LowFrequencyClock.tick(at: signals.now))
        case 0x508: prescaler
        case 0x540..<0x550 where Int((offset &- 0x540) / 4) < channels: compare[Int((offset &- 0x540) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000..<0x010: if word & 1 != 0 { perform(offset, signals.now) }
        case 0x340: routed = word
        case 0x344: routed |= word
        case 0x348: routed &= ~word
        case 0x508: if case .stopped = count { prescaler = word & 0xFFF }
        case 0x540..<0x550 where Int((offset &- 0x540) / 4) < channels:
            compare[Int((offset &- 0x540) / 4)] = word & RTC.mask
            comparesFrom[Int((offset &- 0x540) / 4)] = LowFrequencyClock.tick(seeing: signals.now)
        case _:
            guard events.write(word, to: offset) else { return false }
            if offset < 0x300 { return true }
        }
        checked = LowFrequencyClock.tick(at: signals.now)
        schedule()
        return true
    }

    private mutating func perform(_ task: UInt32, _ cycle: UInt64) {
        let value = value(at: LowFrequencyClock.tick(at: cycle))
        switch (task, count) {
        // After START, the counter's first period begins one tick before the RTC sees the task. After CLEAR or TRIGOVRFLW, the
        // first period begins at the tick at which the RTC sees the task.
        case (0x000, .stopped) where isClocked:
            count = .running(from: value, tick: LowFrequencyClock.tick(seeing: cycle) &- 1)
        case (0x000, .stopped): count = .waiting(at: value)
        case (0x004, _): count = .stopped(at: value)
        case (0x008, _): set(0, cycle)
        case (0x00C, _): set(0xFF_FFF0, cycle)
        case _: break
        }
    }

    private mutating func set(_ value: UInt32, _ cycle: UInt64) {
        switch count {
        case .stopped: count = .stopped(at: value)
        case .waiting: count = .waiting(at: value)
        case .running: start(from: value, cycle)
        }
    }
}
