/// Converts numbers to hexadecimal digits and back. `word` puts the lowest byte first, as the gdb remote protocol does.
/// `number` and `pair` read the highest digit first.
enum HexText {
    static func byte(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 2 ? text : "0" + text
    }

    static func word(_ word: UInt32) -> String {
        (0..<4).map { byte(UInt8(truncatingIfNeeded: word >> (8 * UInt32($0)))) }.joined()
    }

    static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
        UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    static func pair(_ text: Substring, separator: Character) -> (UInt32, UInt32)? {
        let parts = text.split(separator: separator)
        guard parts.count == 2, let first = UInt32(parts[0], radix: 16), let second = UInt32(parts[1], radix: 16) else {
            return nil
        }
        return (first, second)
    }

    /// Converts hexadecimal digits to bytes. Returns nil if a character is no digit, or if the number of digits is odd.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return digits.chunked(by: 2).map { UInt8($0[$0.startIndex] << 4 | $0[$0.startIndex + 1]) }
    }
}
