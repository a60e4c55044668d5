import WatchLink

/// A command from a bench to a board on a serial line. A bench is a program that acts as the wearer and measures the watch. A
/// `SerialFrame` carries the command, a CBOR array.
package enum BenchCommand: Sendable, Equatable, BitwiseCopyable {
    /// An input. Touch: `[65, x, y]`; moved: `[74, x, y]`; lifted: `[75, x, y]`. Crown: `[66, detents]`. Button pressed: `[67,
    /// button]`; held: `[73, button]`. A phone asks to pair: `[71, digits]`; the pairing has ended: `[72]`. Phones may pair:
    /// `[78]`; may not: `[79]`. Wrist sensor: `[76, event]`. The face's 12 or 24 hours: `[77, form]`.
    case input(Input)
    /// `[68]`: report the description of the screen.
    case describe
    /// `[69, now, radio bytes]`, for a board whose clock the bench sets. The board waits until it has received this many radio
    /// bytes since its start. Then it continues at time `now`.
    case go(now: Instant, radioBytes: UInt32)
    case memory

    /// The largest size of a command in bytes.
    package static var largest: Int { 20 }

    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .input(.touch(let x, let y)): try BenchCommand.put(65, x, y, &writer)
        case .input(.moved(let x, let y)): try BenchCommand.put(74, x, y, &writer)
        case .input(.lifted(let x, let y)): try BenchCommand.put(75, x, y, &writer)
        case .input(.crown(let detents)):
            try writer.begin(66, fields: 1)
            try BenchCommand.put(Int(detents), &writer)
        case .input(.press(let button)):
            try writer.begin(67, fields: 1)
            try writer.unsigned(UInt32(button.rawValue))
        case .input(.hold(let button)):
            try writer.begin(73, fields: 1)
            try writer.unsigned(UInt32(button.rawValue))
        case .input(.pairing(.compare(let digits))):
            try writer.begin(71, fields: 1)
            try writer.unsigned(digits)
        case .input(.pairing(.over)):
            try writer.begin(72, fields: 0)
        case .input(.pairing(.open)): try writer.begin(78, fields: 0)
        case .input(.pairing(.closed)): try writer.begin(79, fields: 0)
        case .input(.wrist(let event)):
            try writer.begin(76, fields: 1)
            try writer.unsigned(UInt32(event.rawValue))
        case .input(.clock(let form)):
            try writer.begin(77, fields: 1)
            try writer.unsigned(UInt32(form.rawValue))
        case .describe:
            try writer.begin(68, fields: 0)
        case .go(let now, let radioBytes):
            try writer.begin(69, fields: 2)
            try writer.unsigned(now.microseconds)
            try writer.unsigned(radioBytes)
        case .memory:
            try writer.begin(70, fields: 0)
        }
    }

    /// - Throws: `.unexpectedKind` for an unknown command or value, and the reader's errors.
    package init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.array()
        let kind = try reader.word()
        switch (kind, count) {
        case (65, 3), (74, 3), (75, 3):
            let x = Int16(truncatingIfNeeded: try BenchCommand.small(&reader))
            let y = Int16(truncatingIfNeeded: try BenchCommand.small(&reader))
            self = .input(kind == 65 ? .touch(x: x, y: y) : kind == 74 ? .moved(x: x, y: y) : .lifted(x: x, y: y))
        case (66, 2):
            let detents = try BenchCommand.small(&reader)
            guard detents >= -128, detents <= 127 else { throw .unexpectedKind }
            self = .input(.crown(detents: Int8(truncatingIfNeeded: detents)))
        case (67, 2): self = .input(.press(try BenchCommand.button(&reader)))
        case (68, 1): self = .describe
        case (69, 3):
            let now = Instant(microseconds: try reader.unsigned())
            self = .go(now: now, radioBytes: try reader.word())
        case (70, 1): self = .memory
        case (71, 2): self = .input(.pairing(.compare(digits: try reader.word())))
        case (72, 1): self = .input(.pairing(.over))
        case (78, 1): self = .input(.pairing(.open))
        case (79, 1): self = .input(.pairing(.closed))
        case (73, 2): self = .input(.hold(try BenchCommand.button(&reader)))
        case (76, 2):
            guard let event = WristEvent(rawValue: try BenchCommand.choice(&reader)) else { throw .unexpectedKind }
            self = .input(.wrist(event))
        case (77, 2):
            guard let form = ClockForm(rawValue: try BenchCommand.choice(&reader)) else { throw .unexpectedKind }
            self = .input(.clock(form))
        case (_, _): throw .unexpectedKind
        }
    }

    @inline(never)
    private static func put(
        _ kind: UInt32, _ x: Int16, _ y: Int16, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.begin(kind, fields: 2)
        try put(Int(x), &writer)
        try put(Int(y), &writer)
    }

    private static func put(_ number: Int, _ writer: inout CBORWriter) throws(CBORError) {
        if number < 0 {
            try writer.negative(UInt64(word: UInt32(truncatingIfNeeded: -1 - number)))
        } else {
            try writer.unsigned(UInt32(truncatingIfNeeded: number))
        }
    }

    private static func button(_ reader: inout CBORReader) throws(CBORError) -> Button {
        guard let button = Button(rawValue: try choice(&reader)) else { throw .unexpectedKind }
        return button
    }

    private static func choice(_ reader: inout CBORReader) throws(CBORError) -> UInt8 {
        let number = try small(&reader)
        guard (0...255).contains(number) else { throw .unexpectedKind }
        return UInt8(truncatingIfNeeded: number)
    }

    private static func small(_ reader: inout CBORReader) throws(CBORError) -> Int {
        if try reader.peekKind() == .negative {
            let argument = try reader.negative()
            guard argument < 32_768 else { throw .unexpectedKind }
            return -1 - Int(truncatingIfNeeded: argument.lowWord)
        }
        let value = try reader.word()
        guard value < 32_768 else { throw .unexpectedKind }
        return Int(truncatingIfNeeded: value)
    }
}
