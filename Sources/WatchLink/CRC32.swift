/// The 32-bit cyclic redundancy check of IEEE 802.3: polynomial 0x04C11DB7, reflected (0xEDB88320), register preset to
/// ones, result inverted.
///
/// It detects every burst of up to 32 wrong bits and all but one in 2^32 of longer ones. It protects records in flash
/// and frames on transports without checks of their own. It works on four bits at a time with a table of 64 bytes; a
/// table of 256 words would be twice as fast and take 1 KB of the firmware.
package struct CRC32: Sendable, BitwiseCopyable {
    private var register: UInt32 = 0xFFFF_FFFF

    package init() {}

    /// The check of all bytes so far; more may follow.
    package var checksum: UInt32 { ~register }

    /// The check with its bits mixed, so that the exclusive or of several says which bytes belonged together: a check is
    /// linear, and two that exchange bytes at the same places have the same exclusive or as before.
    ///
    /// The mixing is the last step of MurmurHash3 (`fmix32`, Austin Appleby, in the public domain).
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

    /// Adds the four bytes of `word`, lowest first.
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

    /// The one bit of the last `count` bytes that makes a check differ by `difference`: the number of the byte, counted from
    /// the last one, 0, and the bit in it. Nil where no single bit does.
    package static func place(of difference: UInt32, inLast count: Int) -> (byte: Int, mask: UInt8)? {
        // A check is linear: what a bit feeds into it is what the next bit does, one step later.
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

    /// The word that precedes the word `next` in the bytes with this check: those two are all of them.
    package static func word(before next: UInt32, checkedBy checksum: UInt32) -> UInt32 {
        ~rewound(rewound(~checksum) ^ next)
    }

    /// The register before 32 bits that were 0.
    private static func rewound(_ register: UInt32) -> UInt32 {
        var register = register
        for _ in 0..<32 {
            register = register &>> 31 == 0 ? register &<< 1 : (register ^ 0xEDB8_8320) &<< 1 | 1
        }
        return register
    }

    /// The register after one more bit that is 0.
    private static func followed(_ register: UInt32) -> UInt32 {
        register & 1 == 0 ? register &>> 1 : register &>> 1 ^ 0xEDB8_8320
    }

    private static let steps: InlineArray<16, UInt32> = [
        0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC, 0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
        0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C, 0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
    ]

    /// The value that four bits leaving the register feed back into it.
    private static func step(_ bits: UInt32) -> UInt32 {
        steps[Int(truncatingIfNeeded: bits)]
    }
}
