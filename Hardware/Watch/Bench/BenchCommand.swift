import WatchLink

/// What a bench tells a board over a serial line: CBOR arrays, each the payload of a `SerialFrame`.
public enum BenchCommand: Sendable, Equatable, BitwiseCopyable {
    /// `[65, x, y]` touch, `[66, detents]` crown, `[67, button]` press: what the wearer does. `[71, digits]` a phone wants to
    /// pair, `[72]` no longer.
    case input(Input)
    /// `[68]`: say what the screen says.
    case describe
    /// `[69, now, radio bytes]`, for a board whose time is the bench's: once so many bytes have come in on the radio since the
    /// start, go on with this time.
    case go(now: Instant, radioBytes: UInt32)
    /// `[70]`: say how much of the stacks was used.
    case memory

    /// Bytes of the longest command.
    public static var largest: Int { 20 }

    /// Writes the command.
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .input(.touch(let x, let y)):
            try BenchCommand.begin(65, fields: 2, &writer)
            try BenchCommand.put(Int(x), &writer)
            try BenchCommand.put(Int(y), &writer)
        case .input(.crown(let detents)):
            try BenchCommand.begin(66, fields: 1, &writer)
            try BenchCommand.put(Int(detents), &writer)
        case .input(.press(let button)):
            try BenchCommand.begin(67, fields: 1, &writer)
            try writer.unsigned(UInt32(button.rawValue))
        case .input(.pairing(.compare(let digits))):
            try BenchCommand.begin(71, fields: 1, &writer)
            try writer.unsigned(digits)
        case .input(.pairing(.over)):
            try BenchCommand.begin(72, fields: 0, &writer)
        case .describe:
            try BenchCommand.begin(68, fields: 0, &writer)
        case .go(let now, let radioBytes):
            try BenchCommand.begin(69, fields: 2, &writer)
            try writer.unsigned(now.microseconds)
            try writer.unsigned(radioBytes)
        case .memory:
            try BenchCommand.begin(70, fields: 0, &writer)
        }
    }

    private static func begin(_ kind: UInt32, fields: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.array(count: fields + 1)
        try writer.unsigned(kind)
    }

    /// Reads a command.
    ///
    /// - Throws: `.unexpectedKind` for a command or a value that there is not, and what the reader finds.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.array()
        let kind = try reader.word()
        switch (kind, count) {
        case (65, 3):
            let x = Int16(truncatingIfNeeded: try BenchCommand.small(&reader))
            let y = Int16(truncatingIfNeeded: try BenchCommand.small(&reader))
            self = .input(.touch(x: x, y: y))
        case (66, 2):
            let detents = try BenchCommand.small(&reader)
            guard detents >= -128, detents <= 127 else { throw .unexpectedKind }
            self = .input(.crown(detents: Int8(truncatingIfNeeded: detents)))
        case (67, 2):
            let number = try BenchCommand.small(&reader)
            guard (0...255).contains(number), let button = Button(rawValue: UInt8(truncatingIfNeeded: number)) else {
                throw .unexpectedKind
            }
            self = .input(.press(button))
        case (68, 1): self = .describe
        case (69, 3):
            let now = Instant(microseconds: try reader.unsigned())
            self = .go(now: now, radioBytes: try reader.word())
        case (70, 1): self = .memory
        case (71, 2): self = .input(.pairing(.compare(digits: try reader.word())))
        case (72, 1): self = .input(.pairing(.over))
        case (_, _): throw .unexpectedKind
        }
    }

    /// Writes a number of 16 bits.
    private static func put(_ number: Int, _ writer: inout CBORWriter) throws(CBORError) {
        if number < 0 {
            try writer.negative(UInt64(word: UInt32(truncatingIfNeeded: -1 - number)))
        } else {
            try writer.unsigned(UInt32(truncatingIfNeeded: number))
        }
    }

    /// Reads a number of 16 bits.
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
