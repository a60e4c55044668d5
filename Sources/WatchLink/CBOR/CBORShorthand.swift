// What the frames and messages of the protocol have in common: maps of small integer keys to small integers.

extension CBORWriter {
    /// Writes a key and an integer value of a map.
    @_lifetime(self: copy self)
    mutating func field(_ key: UInt32, _ value: UInt32) throws(CBORError) {
        try unsigned(key)
        try unsigned(value)
    }
}

extension CBORReader {
    /// Reads an integer from 0 to 255; a larger one is `.tooLong`.
    @_lifetime(self: copy self)
    mutating func byte() throws(CBORError) -> UInt8 {
        let value = try word()
        guard value <= 0xFF else { throw .tooLong }
        return UInt8(truncatingIfNeeded: value)
    }

    /// Reads an integer from 1 to 2^32 - 1, or 0, which stands for a number that is not known.
    @_lifetime(self: copy self)
    mutating func wordUnlessZero() throws(CBORError) -> UInt32? {
        let value = try word()
        return value == 0 ? nil : value
    }

    /// Throws `.malformed` unless every byte has been read.
    func expectEnd() throws(CBORError) {
        if !isAtEnd { throw .malformed }
    }
}

extension Span<UInt8> {
    /// Whether these are the UTF-8 bytes of a name that is part of the program.
    package func matches(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != name.utf8Start[index] { return false }
        return true
    }
}
