/// Numbers in hexadecimal digits.
enum HexadecimalText {
    /// A digit's value; nil for another character.
    @inline(__always)
    static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(character &- UInt8(ascii: "a") &+ 10)
        case _: nil
        }
    }

    /// The two lower-case digits of each byte.
    static func digits(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let letters = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
    }

    /// The bytes of pairs of digits; nil where they are none.
    static func bytes(of digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
            guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
