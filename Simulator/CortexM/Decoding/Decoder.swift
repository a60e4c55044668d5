/// Reads instructions from their halfwords.
///
/// The forms that the architecture calls unpredictable are read as if they were not.
enum Decoder {
    /// An instruction with its length in bytes: 2 or 4.
    struct Decoded: Equatable, Sendable {
        var instruction: Instruction
        var length: UInt8
    }

    /// - Parameters:
    ///   - first: the halfword at the address of the instruction.
    ///   - second: the one behind it, which counts for 32-bit instructions alone.
    static func decode(_ first: UInt16, _ second: UInt16) -> Decoded {
        // A5.1: these three prefixes begin a 32-bit instruction.
        guard first >= 0xE800 else { return Decoded(instruction: short(UInt32(first)), length: 2) }
        return Decoded(instruction: long(UInt32(first), UInt32(second)), length: 4)
    }

    /// The bits of a number from the lowest one on.
    @inline(__always)
    static func bits(_ number: UInt32, _ lowest: UInt32, _ count: UInt32) -> UInt32 {
        number &>> lowest & (1 &<< count &- 1)
    }

    @inline(__always)
    static func register(_ number: UInt32, _ lowest: UInt32) -> Register {
        Register(truncatingIfNeeded: bits(number, lowest, 4))
    }

    /// A register of the lower eight.
    @inline(__always)
    static func lowRegister(_ number: UInt32, _ lowest: UInt32) -> Register {
        Register(truncatingIfNeeded: bits(number, lowest, 3))
    }

    @inline(__always)
    static func isSet(_ number: UInt32, _ bit: UInt32) -> Bool { number &>> bit & 1 != 0 }

    /// The number in the lowest bits, whose highest bit is its sign.
    static func signed(_ number: UInt32, bits count: UInt32) -> Int32 {
        Int32(bitPattern: number &<< (32 &- count)) &>> Int32(32 &- count)
    }

    /// A shift by a constant (A7.4.2, DecodeImmShift).
    static func shift(type: UInt32, amount: UInt32) -> Shift {
        let amount = UInt8(truncatingIfNeeded: amount)
        return switch type {
        case 0: Shift(kind: .left, amount: amount)
        case 1: Shift(kind: .logicalRight, amount: amount == 0 ? 32 : amount)
        case 2: Shift(kind: .arithmeticRight, amount: amount == 0 ? 32 : amount)
        case _: amount == 0 ? Shift(kind: .rotateRightExtended, amount: 1) : Shift(kind: .rotateRight, amount: amount)
        }
    }

    /// A constant of 12 bits that stands for one of 32 (A5.3.2, ThumbExpandImm_C).
    static func expand(_ constant: UInt32) -> Operand {
        let byte = bits(constant, 0, 8)
        switch bits(constant, 8, 4) {
        case 0: return .constant(byte)
        case 1: return .constant(byte &<< 16 | byte)
        case 2: return .constant(byte &<< 24 | byte &<< 8)
        case 3: return .constant(byte &* 0x0101_0101)
        case _:
            let rotation = bits(constant, 7, 5)
            let value = 0x80 | bits(constant, 0, 7)
            return .rotatedConstant(value &>> rotation | value &<< (32 &- rotation))
        }
    }
}
