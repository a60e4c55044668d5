import Testing
import WatchLink

struct CRC32Tests {
    /// The first is the check value that catalogues of CRCs list for this one ("CRC-32/ISO-HDLC").
    @Test(arguments: [
        ("123456789", 0xCBF4_3926 as UInt32),
        ("", 0),
        ("a", 0xE8B7_BE43),
        ("abc", 0x3524_41C2),
        ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ])
    func `gives the published checksums`(text: String, checksum: UInt32) {
        let bytes = Array(text.utf8)
        #expect(CRC32.checksum(of: bytes.span) == checksum)
    }

    @Test func `agrees with long division, bit by bit, for every byte after every length up to 64`() {
        var bytes: [UInt8] = []
        for length in 0..<64 {
            for byte in UInt8.min...UInt8.max {
                var divided: UInt32 = .max
                for next in bytes + [byte] {
                    divided ^= UInt32(next)
                    for _ in 0..<8 { divided = divided & 1 == 1 ? divided >> 1 ^ 0xEDB8_8320 : divided >> 1 }
                }
                #expect(CRC32.checksum(of: (bytes + [byte]).span) == ~divided)
            }
            bytes.append(UInt8(truncatingIfNeeded: length &* 37))
        }
    }

    @Test func `gives the same checksum however the bytes are divided`() {
        let bytes = Array("123456789".utf8)
        var check = CRC32()
        check.update(bytes.span.extracting(first: 3))
        check.update(word: 0x3736_3534)
        check.update(UInt8(ascii: "8"))
        check.update(UInt8(ascii: "9"))
        #expect(check.checksum == 0xCBF4_3926)
    }

    @Test func `tells the first of two words from the other`() {
        for number in 0..<1_000 as Range<UInt32> {
            let (word, next) = (number &* 0x9E37_79B9, ~number &* 0x85EB_CA6B)
            var check = CRC32()
            check.update(word: word)
            check.update(word: next)
            #expect(CRC32.word(before: next, checkedBy: check.checksum) == word)
        }
    }

    @Test func `notices every single bit that flips`() {
        var bytes = (0..<100).map { UInt8($0) }
        let right = CRC32.checksum(of: bytes.span)
        for bit in 0..<bytes.count * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(CRC32.checksum(of: bytes.span) != right)
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
    }
}
