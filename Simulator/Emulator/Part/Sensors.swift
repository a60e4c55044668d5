/// SAADC: samples the enabled channels into a buffer in RAM. Oversampling and limits are not modelled.
///
/// Source: nRF52832 Product Specification v1.4, chapter 37 (SAADC).
struct AnalogConverter: BoardPeripheral {
    private enum Event {
        static let started = 0
        static let end = 1
        static let done = 2
        static let result = 3
        static let calibrated = 4
        static let stopped = 5
    }

    private enum State: Sendable {
        case idle
        case started(TransferBuffer, done: Int)
        case sampling(TransferBuffer, done: Int, end: UInt64)
        case calibrating(end: UInt64)
    }

    /// A channel's PSELP, PSELN, CONFIG and LIMIT.
    private typealias Channel = InlineArray<4, UInt32>

    /// The supply voltage in millivolts. A channel can measure it (PSELP), or take a quarter of it as the reference (VDD/4).
    static let supply = 3_300
    /// The cycles of a calibration. The specification gives no time. The assumed time is that of one conversion on each of
    /// eight channels, with the longest acquisition time.
    private static let calibrationTime = UInt64.microseconds(8 &* 42)
    private var events = EventRegisters(base: 0x4000_7000)
    private var channels: InlineArray<8, Channel> = .init(repeating: [0, 0, 0x2_0000, 0x7FFF_8000])
    private var isEnabled: UInt32 = 0
    private var resolution: UInt32 = 1
    private var oversampling: UInt32 = 0
    private var sampleRate: UInt32 = 0
    private var result = TransferBuffer(limitBits: 15)
    private var state = State.idle
    var isInterrupting: Bool { events.isInterrupting }

    var due: UInt64 {
        switch state {
        case .idle, .started: .max
        case .sampling(_, _, let end), .calibrating(let end): end
        }
    }

    /// The cycles to sample all enabled channels once. Each channel takes the acquisition time in CONFIG.TACQ, and 2 us for the
    /// conversion, which is a typical value.
    private var sampleTime: UInt64 {
        var time: UInt64 = 0
        for index in 0..<8 where channels[index][0] != 0 {
            let acquisition: UInt64 =
                switch channels[index][2] &>> 16 & 7 {
                case 0: 3
                case 1: 5
                case 2: 10
                case 3: 15
                case 4: 20
                case _: 40
                }
            time &+= .microseconds(acquisition &+ 2)
        }
        return max(time, .microseconds(2))
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals, _ board: inout BoardDevices) {
        switch state {
        case .idle, .started: break
        case .calibrating:
            state = .idle
            events.raise(Event.calibrated, &signals)
        case .sampling(let buffer, var done, _):
            for index in 0..<8 where channels[index][0] != 0 && done < buffer.limit {
                let value = value(of: channels[index], board)
                let bytes = [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
                memory.transfer(bytes, to: buffer.pointer &+ UInt32(2 * done), &signals)
                done += 1
            }
            result.amount = done
            events.raise(Event.done, &signals)
            events.raise(Event.result, &signals)
            if done >= buffer.limit {
                state = .idle
                result.finish(done)
                events.raise(Event.end, &signals)
            } else {
                state = .started(buffer, done: done)
            }
        }
    }

    /// Returns the result: (V(P) - V(N)) * gain / reference * 2^(resolution - m), limited to the range of the resolution. For a
    /// differential channel, m is 1. Otherwise, m and V(N) are 0.
    private func value(of channel: Channel, _ board: BoardDevices) -> Int {
        func millivolts(_ input: UInt32) -> Int {
            switch input & 31 {
            case 1...8: board.millivolts(of: Int(input & 31) - 1)
            case 9: AnalogConverter.supply
            case _: 0
            }
        }
        let configuration = channel[2]
        let isDifferential = configuration &>> 20 & 1 != 0
        let difference = millivolts(channel[0]) - (isDifferential ? millivolts(channel[1]) : 0)
        // The gains are 1/6, 1/5, 1/4, 1/3, 1/2, 1, 2 and 4.
        let gain = Int(configuration &>> 8 & 7)
        let (numerator, denominator) = gain < 5 ? (1, 6 - gain) : (1 << (gain - 5), 1)
        let reference = configuration &>> 12 & 1 == 0 ? 600 : AnalogConverter.supply / 4
        let bits = 8 + 2 * Int(min(resolution, 3)) - (isDifferential ? 1 : 0)
        let range = 1 << bits
        let value = difference * numerator * range / (denominator * reference)
        return min(max(value, isDifferential ? -range : 0), range - 1)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000..<0x010: 0
        case 0x400: if case .sampling = state { 1 } else { 0 }
        case 0x500: isEnabled
        case 0x510..<0x590: channels[Int((offset &- 0x510) / 16)][Int(offset / 4 & 3)]
        case 0x5F0: resolution
        case 0x5F4: oversampling
        case 0x5F8: sampleRate
        case 0x62C..<0x638: result.read(offset &- 0x62C)
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000..<0x010: if word & 1 != 0, isEnabled != 0 { perform(offset, &signals) }
        case 0x500: isEnabled = word & 1
        case 0x510..<0x590: channels[Int((offset &- 0x510) / 16)][Int(offset / 4 & 3)] = word
        case 0x5F0: resolution = word & 7
        case 0x5F4: oversampling = word & 15
        case 0x5F8: sampleRate = word
        case 0x62C..<0x638: return result.write(word, to: offset &- 0x62C)
        case _: return events.write(word, to: offset)
        }
        return true
    }

    private mutating func perform(_ task: UInt32, _ signals: inout Signals) {
        switch (task, state) {
        case (0x000, _):
            state = .started(result, done: 0)
            result.amount = 0
            events.raise(Event.started, &signals)
        case (0x004, .started(let buffer, let done)):
            state = .sampling(buffer, done: done, end: signals.now &+ sampleTime)
        case (0x008, _):
            state = .idle
            events.raise(Event.stopped, &signals)
        case (0x00C, .idle): state = .calibrating(end: signals.now &+ AnalogConverter.calibrationTime)
        case _: break
        }
    }
}

/// RNG. In place of noise, it uses a seeded generator (splitmix64).
///
/// Source: nRF52832 Product Specification v1.4, chapter 26 (RNG).
struct RandomSource: Peripheral {
    /// The cycles from the task START until the first byte begins. The next two constants are the cycles for one byte, without
    /// and with bias correction. All three are typical values, which BabbleSim's model of the nRF52833 uses too. The
    /// specification calls a byte's time unpredictable.
    private static let startTime = UInt64.microseconds(128)
    private static let rawTime = UInt64.microseconds(30)
    private static let correctedTime = UInt64.microseconds(120)
    private var events = EventRegisters(base: 0x4000_D000)
    private var isCorrected: UInt32 = 0
    private var value: UInt32 = 0
    private var state: UInt64
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    init(seed: UInt64) {
        state = seed
    }

    private var byteTime: UInt64 { isCorrected != 0 ? RandomSource.correctedTime : RandomSource.rawTime }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed &>> 31
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        value = UInt32(next() & 0xFF)
        due = events.hasShortcut(0) ? .max : due &+ byteTime
        events.raise(0, &signals)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000, 0x004: 0
        case 0x504: isCorrected
        case 0x508: value
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000: if word & 1 != 0, due == .max { due = signals.now &+ RandomSource.startTime &+ byteTime }
        case 0x004: if word & 1 != 0 { due = .max }
        case 0x504: isCorrected = word & 1
        case _: return events.write(word, to: offset)
        }
        return true
    }
}

/// TEMP, the temperature sensor.
///
/// Source: nRF52832 Product Specification v1.4, chapter 27 (TEMP).
struct Thermometer: Peripheral {
    /// The cycles of a measurement: a typical value, which BabbleSim's model of the nRF52833 uses too.
    private static let conversionTime = UInt64.microseconds(36)
    private var events = EventRegisters(base: 0x4000_C000)
    /// A0 to A5, B0 to B5 and T0 to T4: calibration values that the start-up code copies from FICR.
    private var calibration: InlineArray<24, UInt32> = .init(repeating: 0)
    /// The last result, in quarters of a degree Celsius.
    private var value: Int32 = 0
    private let temperature: Int32 = 4 * 25
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        value = temperature
        due = .max
        events.raise(0, &signals)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000, 0x004: 0
        case 0x508: UInt32(bitPattern: value)
        case 0x520..<0x580: calibration[Int((offset &- 0x520) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000: if word & 1 != 0 { due = signals.now &+ Thermometer.conversionTime }
        case 0x004: if word & 1 != 0 { due = .max }
        case 0x520..<0x580: calibration[Int((offset &- 0x520) / 4)] = word
        case _: return events.write(word, to: offset)
        }
        return true
    }
}
