import HostSystem
import SeededNumbers
import Testing
import WatchLink

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
    func `agrees with swift-crypto for every length up to 300 and for longer ones, however the bytes are divided`() {
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
