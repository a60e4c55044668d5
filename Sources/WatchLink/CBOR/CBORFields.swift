/// Reads the keys of a map in any order. The keys are small integers, and each occurs at most once.
///
/// A peer may add keys that the caller does not know. This type skips every key that is not an integer from 0 to 31,
/// with its value. The caller skips the value of any other unknown key.
public struct CBORFields: BitwiseCopyable {
    private var remaining: Int
    private var seen: UInt32

    /// The largest key that a map of the protocol may use.
    public static var largestKey: UInt32 { 31 }

    /// Reads the head of the map.
    public init(_ reader: inout CBORReader) throws(CBORError) {
        remaining = try reader.map()
        seen = 0
    }

    /// Reads the next key; nil after the last pair. The caller then reads or skips the key's value.
    ///
    /// - Throws: `.malformed` for a repeated key, and the errors of the reader.
    public mutating func next(_ reader: inout CBORReader) throws(CBORError) -> UInt32? {
        while remaining > 0 {
            remaining &-= 1
            guard try reader.peekKind() == .unsigned else {
                try reader.skip()
                try reader.skip()
                continue
            }
            let key = try reader.unsigned()
            guard key.highWord == 0, key.lowWord <= CBORFields.largestKey else {
                try reader.skip()
                continue
            }
            let bit: UInt32 = 1 &<< key.lowWord
            guard seen & bit == 0 else { throw .malformed }
            seen |= bit
            return key.lowWord
        }
        return nil
    }

    /// Throws `.malformed` unless `next` has returned every key in `keys`, a bit mask in which bit n stands for key n.
    public func require(_ keys: UInt32) throws(CBORError) {
        if seen & keys != keys { throw .malformed }
    }
}

extension CBORWriter {
    @_lifetime(self: copy self)
    package mutating func field(_ key: UInt32, _ value: UInt32) throws(CBORError) {
        try unsigned(key)
        try unsigned(value)
    }
}

extension CBORReader {
    @_lifetime(self: copy self)
    mutating func byte() throws(CBORError) -> UInt8 {
        let value = try word()
        guard value <= 0xFF else { throw .tooLong }
        return UInt8(truncatingIfNeeded: value)
    }

    /// Reads an integer from 0 to 2^32 - 1; returns nil for 0.
    @_lifetime(self: copy self)
    package mutating func wordUnlessZero() throws(CBORError) -> UInt32? {
        let value = try word()
        return value == 0 ? nil : value
    }

    func expectEnd() throws(CBORError) {
        if !isAtEnd { throw .malformed }
    }
}

extension Span<UInt8> {
    package func matches(_ name: StaticString) -> Bool { hasSameBytes(as: name.utf8) }

    func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Returns the length in bytes of the longest prefix that has at most `limit` bytes and does not split a UTF-8
    /// scalar.
    package func scalarBoundary(upTo limit: Int) -> Int {
        guard count > limit else { return count }
        var end = limit
        // A byte of the form 10xxxxxx continues a scalar: step back to where that scalar begins.
        while end > 0 && self[end] & 0xC0 == 0x80 { end &-= 1 }
        return end
    }
}

extension StaticString {
    package var utf8: Span<UInt8> {
        @_lifetime(immortal)
        get {
            // A literal is never freed. `StaticString` has no span of its own.
            let bytes = Span(_unsafeStart: utf8Start, count: utf8CodeUnitCount)
            return _overrideLifetime(bytes, copying: ())
        }
    }
}
