/// Reads the Unicode scalars of bytes that should be UTF-8. Every maximal ill-formed part reads as one U+FFFD, as the
/// Unicode standard recommends (3.9, "U+FFFD Substitution of Maximal Subparts"); no bytes trap.
///
/// `String` would do the same, but brings Unicode tables of 20 KB and a heap.
struct UTF8Scalars: ~Escapable {
    private let bytes: Span<UInt8>
    /// The offset of the next scalar in bytes.
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    private static var replacement: UInt32 { 0xFFFD }

    @_lifetime(self: copy self)
    mutating func next() -> UInt32? {
        guard offset < bytes.count else { return nil }
        let first = UInt32(bytes[offset])
        offset &+= 1
        if first < 0x80 { return first }
        // Some first bytes narrow the range of the second: no overlong forms, no surrogates, nothing above U+10FFFF.
        switch first {
        case 0xC2...0xDF: return continued(first & 0x1F, by: 1, from: 0x80, to: 0xBF)
        case 0xE0: return continued(0, by: 2, from: 0xA0, to: 0xBF)
        case 0xED: return continued(0xD, by: 2, from: 0x80, to: 0x9F)
        case 0xE1...0xEF: return continued(first & 0xF, by: 2, from: 0x80, to: 0xBF)
        case 0xF0: return continued(0, by: 3, from: 0x90, to: 0xBF)
        case 0xF1...0xF3: return continued(first & 0x7, by: 3, from: 0x80, to: 0xBF)
        case 0xF4: return continued(4, by: 3, from: 0x80, to: 0x8F)
        case _: return UTF8Scalars.replacement
        }
    }

    /// Takes `count` more bytes, the first in `low ... high`; stops before the first that does not fit.
    @_lifetime(self: copy self)
    private mutating func continued(_ start: UInt32, by count: Int, from low: UInt8, to high: UInt8) -> UInt32 {
        var scalar = start
        for index in 0..<count {
            guard offset < bytes.count else { return UTF8Scalars.replacement }
            let byte = bytes[offset]
            guard index == 0 ? byte >= low && byte <= high : byte & 0xC0 == 0x80 else {
                return UTF8Scalars.replacement
            }
            scalar = scalar &<< 6 | UInt32(byte & 0x3F)
            offset &+= 1
        }
        return scalar
    }
}
