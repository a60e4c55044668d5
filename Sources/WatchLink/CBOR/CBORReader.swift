/// Reads CBOR items in sequence from the caller's bytes, without copying them.
///
/// No input makes the reader trap, or follow more than `maximumDepth` levels of nesting. The reader's time is
/// proportional to the input's length. It accepts heads that are longer than necessary. After an error the position is
/// undefined, and the caller must not read further.
public struct CBORReader: ~Escapable {
    let source: Span<UInt8>
    /// The position of the next item, in bytes from the beginning.
    public internal(set) var offset: Int
    let maximumDepth: Int

    /// The maximum depth of nesting that a reader can follow, 16 levels.
    public static var deepestNesting: Int { 16 }

    /// Creates a reader that begins at the first byte.
    ///
    /// - Parameter maximumDepth: the maximum depth of nested arrays, maps and tags that `skip()` follows. The reader
    ///   replaces a value below 1 with 1, and a value above 16 with 16.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, maximumDepth: Int = CBORReader.deepestNesting) {
        source = bytes
        offset = 0
        self.maximumDepth = min(max(maximumDepth, 1), CBORReader.deepestNesting)
    }

    /// Whether all bytes have been read.
    public var isAtEnd: Bool { offset >= source.count }

    /// The number of bytes left to read.
    public var remaining: Int { source.count &- offset }

    /// Returns the kind of the next item, and does not move the position. Throws `.truncated` at the end of the input,
    /// and `.malformed` if no item begins with the next byte.
    public func peekKind() throws(CBORError) -> CBORKind {
        guard offset < source.count else { throw .truncated }
        let first = source[offset]
        let low = first & 0x1F
        let major = first >> 5
        if low >= 28 && low != 31 { throw .malformed }
        if major == 7 { return try CBORReader.kind(ofSimple: low) }
        return try CBORReader.kind(ofMajor: major, isIndefinite: low == 31)
    }

    /// Reads an integer from 0 to 2^64 - 1.
    @_lifetime(self: copy self)
    public mutating func unsigned() throws(CBORError) -> UInt64 {
        let head = try head(.unsigned)
        return UInt64(high: head.high, low: head.low)
    }

    /// Reads an integer from 0 to 2^32 - 1; throws `.tooLong` for a larger one.
    @_lifetime(self: copy self)
    public mutating func word() throws(CBORError) -> UInt32 {
        let head = try head(.unsigned)
        guard head.high == 0 else { throw .tooLong }
        return head.low
    }

    /// Reads an integer of either sign; throws `.tooLong` for one outside Int64.
    @_lifetime(self: copy self)
    public mutating func integer() throws(CBORError) -> Int64 {
        let isNegative = try peekKind() == .negative
        let argument = isNegative ? try negative() : try unsigned()
        guard argument.highWord < 0x8000_0000 else { throw .tooLong }
        return Int64(bitPattern: isNegative ? ~argument : argument)
    }

    /// Reads a negative integer -1 - n, down to -2^64, and returns n.
    @_lifetime(self: copy self)
    public mutating func negative() throws(CBORError) -> UInt64 {
        let head = try head(.negative)
        return UInt64(high: head.high, low: head.low)
    }

    /// Reads a byte string of definite length.
    @_lifetime(copy self)
    public mutating func bytes() throws(CBORError) -> Span<UInt8> {
        let count = try length(.bytes, itemSize: 1)
        return take(count)
    }

    /// Reads a text string of definite length; throws `.malformed` for one that is not UTF-8.
    @_lifetime(copy self)
    public mutating func text() throws(CBORError) -> Span<UInt8> {
        let count = try length(.text, itemSize: 1)
        let span = take(count)
        guard UTF8Validation.isWellFormed(span) else { throw .malformed }
        return span
    }

    /// Reads the head of an array of definite length, and returns the number of items. Throws `.truncated` if fewer
    /// bytes than items are left.
    @_lifetime(self: copy self)
    public mutating func array() throws(CBORError) -> Int {
        try length(.array, itemSize: 1)
    }

    /// Reads the head of a map of definite length, and returns the number of pairs. A pair takes at least two bytes.
    /// Throws `.truncated` if the bytes that are left are too few for the pairs.
    @_lifetime(self: copy self)
    public mutating func map() throws(CBORError) -> Int {
        try length(.map, itemSize: 2)
    }

    /// Reads a tag and returns its number. The next item is the tag's content.
    @_lifetime(self: copy self)
    public mutating func tag() throws(CBORError) -> UInt64 {
        let head = try head(.tag)
        return UInt64(high: head.high, low: head.low)
    }

    /// Reads `false` or `true`.
    @_lifetime(self: copy self)
    public mutating func boolean() throws(CBORError) -> Bool {
        try head(.boolean).low == 21
    }

    /// Reads `null`.
    @_lifetime(self: copy self)
    public mutating func null() throws(CBORError) {
        _ = try head(.null)
    }

    /// Reads a floating-point number of 16, 32 or 64 bits.
    @_lifetime(self: copy self)
    public mutating func float() throws(CBORError) -> Double {
        let size = remaining
        let head = try head(.float)
        switch size &- remaining {
        case 3: return Double(HalfPrecision.value(bits: UInt16(truncatingIfNeeded: head.low)))
        case 5: return Double(Float(bitPattern: head.low))
        default: return Double(bitPattern: UInt64(high: head.high, low: head.low))
        }
    }

    /// Reads the head of an item of indefinite length: a string in chunks, or an array or map that ends with a break.
    @_lifetime(self: copy self)
    public mutating func beginIndefinite() throws(CBORError) {
        switch try peekKind() {
        case .indefiniteBytes, .indefiniteText, .indefiniteArray, .indefiniteMap: offset &+= 1
        case .unsigned, .negative, .bytes, .text, .array, .map, .tag, .boolean, .null, .undefined, .simple, .float,
            .breakStop:
            throw .unexpectedKind
        }
    }

    /// Reads a break if one is next, and returns whether it did.
    @_lifetime(self: copy self)
    public mutating func takeBreak() throws(CBORError) -> Bool {
        guard offset < source.count else { throw .truncated }
        guard source[offset] == 0xFF else { return false }
        offset &+= 1
        return true
    }
}

extension CBORReader {
    /// The argument of a head as two halves, because 64-bit arithmetic is expensive on the device and rarely needed.
    struct Head {
        let high: UInt32
        let low: UInt32
    }

    @inline(never)
    @_lifetime(self: copy self)
    mutating func head(_ kind: CBORKind) throws(CBORError) -> Head {
        guard try peekKind() == kind else { throw .unexpectedKind }
        return try anyHead()
    }

    /// Reads the head of an item of definite length. The caller has checked its first byte with `peekKind()`.
    @_lifetime(self: copy self)
    mutating func anyHead() throws(CBORError) -> Head {
        let first = source[offset]
        let low = first & 0x1F
        let size = low < 24 ? 0 : 1 << Int(low &- 24)
        guard remaining > size else { throw .truncated }
        var head = Head(high: 0, low: UInt32(low))
        if size > 0 {
            head = Head(high: size == 8 ? number(at: offset &+ 1, size: 4) : 0, low: tail(size))
        }
        // The two-byte form of a simple value below 32 is not well-formed.
        if first == 0xF8 && head.low < 32 { throw .malformed }
        offset &+= 1 &+ size
        return head
    }

    private func tail(_ size: Int) -> UInt32 {
        size == 8 ? number(at: offset &+ 5, size: 4) : number(at: offset &+ 1, size: size)
    }

    private func number(at position: Int, size: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<size { value = value << 8 | UInt32(source[position &+ index]) }
        return value
    }

    /// Reads the head of a string, array or map of definite length, and returns its count of bytes, items or pairs.
    /// Throws `.truncated` if fewer than count × `itemSize` bytes are left.
    @inline(never)
    @_lifetime(self: copy self)
    mutating func length(_ kind: CBORKind, itemSize: Int) throws(CBORError) -> Int {
        let head = try head(kind)
        guard head.high == 0, head.low <= 0x7FFF_FFFF else { throw .truncated }
        let count = Int(truncatingIfNeeded: head.low)
        guard count <= remaining / itemSize else { throw .truncated }
        return count
    }

    @_lifetime(copy self)
    mutating func take(_ count: Int) -> Span<UInt8> {
        let start = offset
        offset &+= count
        return source.extracting(start..<offset)
    }

    private static func kind(ofMajor major: UInt8, isIndefinite: Bool) throws(CBORError) -> CBORKind {
        switch major {
        case 0 where !isIndefinite: return .unsigned
        case 1 where !isIndefinite: return .negative
        case 2: return isIndefinite ? .indefiniteBytes : .bytes
        case 3: return isIndefinite ? .indefiniteText : .text
        case 4: return isIndefinite ? .indefiniteArray : .array
        case 5: return isIndefinite ? .indefiniteMap : .map
        case 6 where !isIndefinite: return .tag
        default: throw .malformed
        }
    }

    private static func kind(ofSimple low: UInt8) throws(CBORError) -> CBORKind {
        switch low {
        case 20, 21: .boolean
        case 22: .null
        case 23: .undefined
        case 25, 26, 27: .float
        case 31: .breakStop
        default: .simple
        }
    }
}

/// What is left to skip on one level of nesting.
private enum SkipLevel: BitwiseCopyable {
    /// An array, map or tag with this number of items left. A map's keys and values count separately.
    case items(UInt32)
    case openArray
    case openMapKey
    case openMapValue
    case byteChunks
    case textChunks
}

extension CBORReader {
    /// Skips an item with everything in it, in time proportional to its length and without recursion. Throws an error
    /// if the item is not well-formed, but accepts repeated keys, and text that is not UTF-8.
    ///
    /// - Throws: `.tooDeep` if arrays, maps and tags are nested deeper than `maximumDepth`.
    @_lifetime(self: copy self)
    public mutating func skip() throws(CBORError) {
        var levels = InlineArray<17, SkipLevel>(repeating: .items(0))
        var depth = 0
        levels[0] = .items(1)
        while true {
            switch levels[depth] {
            case .items(0):
                if depth == 0 { return }
                depth &-= 1
                continue
            case .items(let count):
                levels[depth] = .items(count &- 1)
            case .openArray, .openMapKey, .byteChunks, .textChunks:
                if try takeBreak() {
                    depth &-= 1
                    continue
                }
            case .openMapValue:
                break
            }
            try advance(&levels[depth])
            if let inner = try skipHead() {
                guard depth < maximumDepth else { throw .tooDeep }
                depth &+= 1
                levels[depth] = inner
            }
        }
    }

    /// Moves a level on to its next item. Throws if the level is a string in chunks, and its next item is not a chunk
    /// of the same kind.
    private func advance(_ level: inout SkipLevel) throws(CBORError) {
        switch level {
        case .items, .openArray: break
        case .openMapKey: level = .openMapValue
        case .openMapValue: level = .openMapKey
        case .byteChunks: if try peekKind() != .bytes { throw .malformed }
        case .textChunks: if try peekKind() != .text { throw .malformed }
        }
    }

    /// Skips a head. If the head begins a string of definite length, skips the whole string. Returns the level that the
    /// head opens; nil if the head opens no level.
    @_lifetime(self: copy self)
    private mutating func skipHead() throws(CBORError) -> SkipLevel? {
        let kind = try peekKind()
        switch kind {
        case .unsigned, .negative, .boolean, .null, .undefined, .simple, .float:
            _ = try anyHead()
            return nil
        case .bytes, .text:
            offset &+= try length(kind, itemSize: 1)
            return nil
        case .array:
            return .items(UInt32(truncatingIfNeeded: try array()))
        case .map:
            return .items(UInt32(truncatingIfNeeded: try map() &* 2))
        case .tag:
            _ = try anyHead()
            return .items(1)
        case .indefiniteBytes, .indefiniteText, .indefiniteArray, .indefiniteMap:
            offset &+= 1
            if kind == .indefiniteBytes { return .byteChunks }
            if kind == .indefiniteText { return .textChunks }
            return kind == .indefiniteArray ? .openArray : .openMapKey
        case .breakStop:
            throw .malformed
        }
    }
}

/// The kind of a data item, read from its first byte, with the names of RFC 8949 section 3.
///
/// To read an item of an `indefinite` kind, call `beginIndefinite()`. Then read its chunks or items until `takeBreak()`
/// returns true.
public enum CBORKind: UInt8, Sendable, BitwiseCopyable {
    case unsigned
    case negative
    case bytes
    case text
    case array
    case map
    case tag
    case boolean
    case null
    case undefined
    case simple
    case float
    case indefiniteBytes
    case indefiniteText
    case indefiniteArray
    case indefiniteMap
    case breakStop
}

/// Why CBOR could not be read or written.
public enum CBORError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The input ends inside an item, or is too short for the number of items that an array or map announces.
    case truncated
    /// The bytes are not well-formed CBOR, text is not UTF-8, a map has a key twice, or a required key is missing.
    case malformed
    /// Items are nested deeper than the reader's limit.
    case tooDeep
    /// A number, text or count is larger than the caller accepts.
    case tooLong
    /// The next item is of another kind than the caller expects.
    case unexpectedKind
    /// The buffer has no room for the item. Nothing of the item has been written.
    case outOfSpace
}
