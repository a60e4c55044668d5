import HostSystem
import TestSupport
import Testing
import WatchLink

struct InstantTests {
    @Test func `whole seconds of any length, what is beyond 32 bits cut off`() {
        withSeeds(1, "whole seconds") { random, seed in
            for _ in 0..<10_000 {
                // The random shift gives numbers of every length. Without it, nearly all numbers would be close to 64
                // bits long.
                let count = UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
                let expected = UInt32(truncatingIfNeeded: count / 1_000_000)
                #expect(Microseconds(count).wholeSeconds == expected, "TAPLINE_SEED=\(seed): \(count)")
            }
        }
    }
}

struct CRC32Tests {
    /// The first checksum is the check value of CRC-32/ISO-HDLC in catalogues of CRCs.
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
}

struct SHA256DigestTests {
    private func digest(of parts: [[UInt8]]) -> [UInt8] {
        var digest = SHA256Digest()
        for part in parts { digest.update(part.span) }
        var bytes = [UInt8](repeating: 0, count: 32)
        var span = bytes.mutableSpan
        digest.finish(into: &span)
        return bytes
    }

    @Test func `gives the digest of FIPS 180-4's example`() {
        let expected: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23, 0xB0, 0x03,
            0x61,
            0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
        ]
        #expect(digest(of: [Array("abc".utf8)]) == expected)
    }

    @Test
    func `agrees with OpenSSL for every length up to 300 and for longer ones, however the bytes are divided`() {
        withSeeds(1, "SHA-256 of random bytes") { random, seed in
            for length in Array(0...300) + [4_095, 4_096, 65_535, 65_536] {
                let bytes = random.bytes(length)
                let cut = Int.random(in: 0...length, using: &random)
                let expected = SHA256.digest(of: bytes)
                #expect(digest(of: [bytes]) == expected, "length \(length), seed \(seed)")
                #expect(
                    digest(of: [Array(bytes[..<cut]), [], Array(bytes[cut...])]) == expected,
                    "length \(length), cut \(cut), seed \(seed)")
            }
        }
    }
}
