/// A computation of SHA-256 (FIPS 180-4) that takes its input in pieces. The firmware uses it because the device has no library
/// with SHA-256.
package struct SHA256Digest: BitwiseCopyable {
    private var state = SHA256Digest.start
    /// The block that is being filled. Words that are not filled yet hold leftovers of the previous block.
    private var block = InlineArray<16, UInt32>(repeating: 0)
    /// The number of bytes taken so far. It must stay below 2^29, so that the number of bits fits into 32 bits.
    private var taken: UInt32 = 0

    package static var size: Int { 32 }

    package init() {}

    @inline(never)
    package mutating func update(_ bytes: Span<UInt8>) {
        for index in bytes.indices { take(bytes[index]) }
    }

    /// Writes the hash to the first 32 bytes of `digest`. The caller must not use this value afterwards.
    @inline(never)
    package mutating func finish(into digest: inout MutableSpan<UInt8>) {
        let bits = taken &<< 3
        take(0x80)
        while taken & 63 != 56 { take(0) }
        for _ in 0..<4 { take(0) }
        for index in 0..<4 { take(bits.bigEndianByte(index)) }
        for index in 0..<SHA256Digest.size { digest[index] = state[index &>> 2].bigEndianByte(index & 3) }
    }

    private mutating func take(_ byte: UInt8) {
        let word = Int(truncatingIfNeeded: taken &>> 2 & 15)
        block[word] = block[word] &<< 8 | UInt32(byte)
        taken &+= 1
        if taken & 63 == 0 { compress() }
    }

    /// Updates `state` from the full `block` (FIPS 180-4, section 6.2.2). Overwrites `block` with the last 16 words of the
    /// message schedule, because no step needs older ones.
    @inline(never)
    private mutating func compress() {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let place = round & 15
            if round >= 16 {
                let (early, late) = (block[(round &+ 1) & 15], block[(round &+ 14) & 15])
                block[place] =
                    block[place] &+ (rotate(early, 7) ^ rotate(early, 18) ^ early &>> 3)
                    &+ block[(round &+ 9) & 15] &+ (rotate(late, 17) ^ rotate(late, 19) ^ late &>> 10)
            }
            let first =
                h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (e & f ^ ~e & g) &+ SHA256Digest.constants[round]
                &+ block[place]
            let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes (FIPS 180-4, section 5.3.3).
    private static let start: InlineArray<8, UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2).
    private static let constants: InlineArray<64, UInt32> = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

/// The 32-bit cyclic redundancy check of IEEE 802.3: polynomial 0x04C11DB7, reflected (0xEDB88320), register preset to
/// ones, result inverted.
///
/// It detects every burst of up to 32 wrong bits, and all but about one in 2^32 longer bursts. It protects records in flash,
/// and frames on a serial line. It takes four bits at a time, with a table of 64 bytes. A table of 256 words would be twice as
/// fast, but would take 1 KB of the device's flash.
package struct CRC32: Sendable, BitwiseCopyable {
    private var register: UInt32 = 0xFFFF_FFFF

    package init() {}

    package var checksum: UInt32 { ~register }

    /// The CRC with its bits mixed, for a caller that takes the exclusive or of several CRCs.
    ///
    /// A plain CRC is linear: if two records swap bytes at the same offsets, the exclusive or of their CRCs stays the same. The
    /// mixing is the last step of MurmurHash3 (`fmix32`, Austin Appleby, in the public domain).
    package var scattered: UInt32 {
        var bits = checksum
        bits = (bits ^ bits &>> 16) &* 0x85EB_CA6B
        bits = (bits ^ bits &>> 13) &* 0xC2B2_AE35
        return bits ^ bits &>> 16
    }

    package mutating func update(_ byte: UInt8) {
        register ^= UInt32(byte)
        register = register &>> 4 ^ CRC32.step(register & 0xF)
        register = register &>> 4 ^ CRC32.step(register & 0xF)
    }

    /// Adds the four bytes of `word`, the least significant first.
    package mutating func update(word: UInt32) {
        update(UInt8(truncatingIfNeeded: word))
        update(UInt8(truncatingIfNeeded: word &>> 8))
        update(UInt8(truncatingIfNeeded: word &>> 16))
        update(UInt8(truncatingIfNeeded: word &>> 24))
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        for index in bytes.indices { update(bytes[index]) }
    }

    package static func checksum(of bytes: Span<UInt8>) -> UInt32 {
        var check = CRC32()
        check.update(bytes)
        return check.checksum
    }

    /// Searches the last `count` bytes of the input for a bit that, if flipped, changes the CRC by `difference`. `difference`
    /// is the exclusive or of the CRCs before and after the flip.
    /// - Returns: the bit's byte, counted backwards from the last byte (0), and the bit's mask; nil if there is no such bit.
    package static func place(of difference: UInt32, inLast count: Int) -> (byte: Int, mask: UInt8)? {
        // A CRC is linear: the effect of a bit is the effect of the bit after it, advanced by one step.
        var trace = UInt32(0x80)
        for _ in 0..<8 { trace = followed(trace) }
        for byte in 0..<count {
            var mask = UInt8(0x80)
            while mask != 0 {
                if trace == difference { return (byte, mask) }
                trace = followed(trace)
                mask &>>= 1
            }
        }
        return nil
    }

    /// Returns the word that must precede `next` to make `checksum` the CRC of the two words. The bytes of each word go into
    /// the CRC as in `update(word:)`.
    package static func word(before next: UInt32, checkedBy checksum: UInt32) -> UInt32 {
        ~rewound(rewound(~checksum) ^ next)
    }

    /// Returns what `register` was before it took 32 zero bits.
    private static func rewound(_ register: UInt32) -> UInt32 {
        var register = register
        for _ in 0..<32 {
            register = register &>> 31 == 0 ? register &<< 1 : (register ^ 0xEDB8_8320) &<< 1 | 1
        }
        return register
    }

    /// Returns the value that `register` has after it takes a zero bit.
    private static func followed(_ register: UInt32) -> UInt32 {
        register & 1 == 0 ? register &>> 1 : register &>> 1 ^ 0xEDB8_8320
    }

    private static let steps: InlineArray<16, UInt32> = [
        0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC, 0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
        0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C, 0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
    ]

    private static func step(_ bits: UInt32) -> UInt32 {
        steps[Int(truncatingIfNeeded: bits)]
    }
}
