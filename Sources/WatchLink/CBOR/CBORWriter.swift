/// Writes CBOR items in sequence into the caller's memory, in the deterministic form of RFC 8949 section 4.2.1. Heads
/// and floating-point numbers have their shortest form, and no item has indefinite length.
///
/// The caller must write the keys of a map in ascending order. If an item does not fit, the writer throws `.outOfSpace`
/// and writes no part of the item.
public struct CBORWriter: ~Copyable, ~Escapable {
    private var buffer: MutableSpan<UInt8>
    /// The number of bytes written.
    public private(set) var count: Int

    /// Creates a writer that begins at the first byte of `buffer`.
    @_lifetime(copy buffer)
    public init(_ buffer: consuming MutableSpan<UInt8>) {
        self.buffer = buffer
        count = 0
    }

    /// The number of free bytes.
    public var room: Int { buffer.count &- count }

    /// Writes an integer from 0 to 2^64 - 1.
    @_lifetime(self: copy self)
    public mutating func unsigned(_ value: UInt64) throws(CBORError) {
        try head(0, high: value.highWord, low: value.lowWord, content: 0)
    }

    /// Writes an integer from 0 to 2^32 - 1 without 64-bit arithmetic, which is expensive on a 32-bit processor.
    @_lifetime(self: copy self)
    public mutating func unsigned(_ value: UInt32) throws(CBORError) {
        try head(0, high: 0, low: value, content: 0)
    }

    /// Writes an integer of either sign.
    @_lifetime(self: copy self)
    public mutating func integer(_ value: Int64) throws(CBORError) {
        let bits = UInt64(bitPattern: value)
        if value < 0 {
            try negative(~bits)
        } else {
            try unsigned(bits)
        }
    }

    /// Writes the negative integer -1 - `argument`, down to -2^64.
    @_lifetime(self: copy self)
    public mutating func negative(_ argument: UInt64) throws(CBORError) {
        try head(1, high: argument.highWord, low: argument.lowWord, content: 0)
    }

    /// Writes a byte string.
    @_lifetime(self: copy self)
    public mutating func bytes(_ value: Span<UInt8>) throws(CBORError) {
        try head(2, high: 0, low: UInt32(truncatingIfNeeded: value.count), content: value.count)
        append(value)
    }

    /// Writes a text string. The caller guarantees that the bytes are UTF-8.
    @_lifetime(self: copy self)
    public mutating func text(_ value: Span<UInt8>) throws(CBORError) {
        try head(3, high: 0, low: UInt32(truncatingIfNeeded: value.count), content: value.count)
        append(value)
    }

    /// Writes a literal as a text string.
    @_lifetime(self: copy self)
    public mutating func text(_ value: StaticString) throws(CBORError) {
        try text(value.utf8)
    }

    /// Writes the head of an array. The caller then writes `count` items.
    @_lifetime(self: copy self)
    public mutating func array(count: Int) throws(CBORError) {
        try head(4, high: 0, low: UInt32(truncatingIfNeeded: count), content: 0)
    }

    /// Writes the head of a map. The caller then writes `count` pairs, each a key and its value.
    @_lifetime(self: copy self)
    public mutating func map(count: Int) throws(CBORError) {
        try head(5, high: 0, low: UInt32(truncatingIfNeeded: count), content: 0)
    }

    /// Writes `false` or `true`.
    @_lifetime(self: copy self)
    public mutating func boolean(_ value: Bool) throws(CBORError) {
        try raw(value ? 0xF5 : 0xF4)
    }

    /// Writes `null`.
    @_lifetime(self: copy self)
    public mutating func null() throws(CBORError) {
        try raw(0xF6)
    }

    /// Writes a floating-point number in the shortest form that holds it exactly: 16, 32 or 64 bits. Writes every NaN as
    /// the 16-bit NaN 0x7E00.
    @_lifetime(self: copy self)
    public mutating func float(_ value: Double) throws(CBORError) {
        if value.isNaN {
            try float(half: 0x7E00)
            return
        }
        let single = Float(value)
        guard Double(single) == value else {
            let bits = value.bitPattern
            try need(9)
            append(0xFB)
            append(bigEndian: bits.highWord)
            append(bigEndian: bits.lowWord)
            return
        }
        if let half = HalfPrecision.bits(exactly: single) {
            try float(half: half)
            return
        }
        try need(5)
        append(0xFA)
        append(bigEndian: single.bitPattern)
    }

    /// Copies bytes unchanged: encoded items, or a part of a frame that is not CBOR.
    @_lifetime(self: copy self)
    public mutating func raw(_ value: Span<UInt8>) throws(CBORError) {
        try need(value.count)
        append(value)
    }

    /// Copies a byte unchanged.
    @inline(never)
    @_lifetime(self: copy self)
    public mutating func raw(_ byte: UInt8) throws(CBORError) {
        try need(1)
        append(byte)
    }

    /// Writes the four bytes of a number, most significant first.
    @_lifetime(self: copy self)
    public mutating func raw(bigEndian word: UInt32) throws(CBORError) {
        try need(4)
        append(bigEndian: word)
    }

    /// Returns the size of a head in bytes, from 1 to 5. The argument is an integer, a string's length, or the count of
    /// an array or map.
    public static func headSize(_ argument: UInt32) -> Int {
        switch argument {
        case ..<24: 1
        case ..<0x100: 2
        case ..<0x1_0000: 3
        default: 5
        }
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func head(_ major: UInt8, high: UInt32, low: UInt32, content: Int) throws(CBORError) {
        let first = major << 5
        let size = high == 0 ? CBORWriter.headSize(low) : 9
        guard content <= room, room &- content >= size else { throw .outOfSpace }
        switch size {
        case 1: append(first | UInt8(truncatingIfNeeded: low))
        case 2:
            append(first | 24)
            append(UInt8(truncatingIfNeeded: low))
        case 3:
            append(first | 25)
            append(UInt8(truncatingIfNeeded: low >> 8))
            append(UInt8(truncatingIfNeeded: low))
        case 5:
            append(first | 26)
            append(bigEndian: low)
        default:
            append(first | 27)
            append(bigEndian: high)
            append(bigEndian: low)
        }
    }

    @_lifetime(self: copy self)
    private mutating func float(half: UInt16) throws(CBORError) {
        try need(3)
        append(0xF9)
        append(UInt8(truncatingIfNeeded: half >> 8))
        append(UInt8(truncatingIfNeeded: half))
    }

    private func need(_ size: Int) throws(CBORError) {
        if room < size { throw .outOfSpace }
    }

    @_lifetime(self: copy self)
    private mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count &+= 1
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func append(bigEndian word: UInt32) {
        append(UInt8(truncatingIfNeeded: word >> 24))
        append(UInt8(truncatingIfNeeded: word >> 16))
        append(UInt8(truncatingIfNeeded: word >> 8))
        append(UInt8(truncatingIfNeeded: word))
    }

    @inline(never)
    @_lifetime(self: copy self)
    private mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }
}

/// Converts between `Float` and the bits of IEEE 754 half precision, because not every target has a 16-bit
/// floating-point type.
enum HalfPrecision {
    /// Returns the bits of the half-precision number that equals `value`. Returns nil if there is none, and for NaN.
    static func bits(exactly value: Float) -> UInt16? {
        let pattern = value.bitPattern
        let sign = UInt16(truncatingIfNeeded: pattern >> 16) & 0x8000
        let exponent = Int(truncatingIfNeeded: pattern >> 23 & 0xFF)
        let fraction = pattern & 0x7F_FFFF
        if exponent == 0 && fraction == 0 { return sign }
        if exponent == 0xFF { return fraction == 0 ? sign | 0x7C00 : nil }
        let power = exponent &- 127
        if power > 15 || power < -24 { return nil }
        if power >= -14 {
            guard fraction & 0x1FFF == 0 else { return nil }
            let biased = UInt16(truncatingIfNeeded: power &+ 15)
            return sign | biased << 10 | UInt16(truncatingIfNeeded: fraction >> 13)
        }
        // Below 2^-14 a half has no implicit leading one: the whole significand moves into the fraction.
        let significand = fraction | 0x80_0000
        let shift = UInt32(truncatingIfNeeded: -1 &- power)
        guard significand & ((1 << shift) &- 1) == 0 else { return nil }
        return sign | UInt16(truncatingIfNeeded: significand >> shift)
    }

    /// Returns the value of the half-precision number with these bits. A `Float` holds every such value exactly.
    static func value(bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let exponent = UInt32(bits >> 10 & 0x1F)
        let fraction = UInt32(bits & 0x3FF)
        if exponent == 0x1F { return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13) }
        if exponent > 0 { return Float(bitPattern: sign | (exponent &+ 112) << 23 | fraction << 13) }
        // A `Float` of 2^23 with `fraction` in its lowest bits is exactly 2^23 + fraction. This needs no generic code.
        let magnitude = (Float(bitPattern: 0x4B00_0000 | fraction) - 0x1p23) * 0x1p-24
        return sign == 0 ? magnitude : -magnitude
    }
}
