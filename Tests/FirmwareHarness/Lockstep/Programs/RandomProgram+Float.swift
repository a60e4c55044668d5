extension RandomProgram {
    /// Returns the form of an arithmetic instruction. Bits 23, 21 and 20 (`high`) and bit 6 (`low`) choose the
    /// operation.
    private static func arithmetic(_ name: String, _ high: String, _ low: String) -> InstructionForm {
        let (top, rest) = (high.prefix(1), high.suffix(2))
        return InstructionForm(name, "11101110 \(top) x \(rest) xxxx xxxx 1010 x \(low) x 0 xxxx")
    }

    /// Returns the form of an instruction with one operand. Bits 19 to 16 (`operation`) and bit 7 (`low`) choose the
    /// operation.
    private static func single(_ name: String, _ operation: String, _ low: String) -> InstructionForm {
        InstructionForm(name, "11101110 1 x 11 \(operation) xxxx 1010 \(low) 1 x 0 xxxx")
    }

    private static let onNumbers = [
        arithmetic("VMLA", "000", "0"), arithmetic("VMLS", "000", "1"), arithmetic("VNMLS", "001", "0"),
        arithmetic("VNMLA", "001", "1"), arithmetic("VMUL", "010", "0"), arithmetic("VNMUL", "010", "1"),
        arithmetic("VADD", "011", "0"), arithmetic("VSUB", "011", "1"), arithmetic("VDIV", "100", "0"),
        arithmetic("VFNMS", "101", "0"), arithmetic("VFNMA", "101", "1"), arithmetic("VFMA", "110", "0"),
        arithmetic("VFMS", "110", "1"),
        single("VMOV register", "0000", "0"), single("VABS", "0000", "1"), single("VNEG", "0001", "0"),
        single("VSQRT", "0001", "1"), single("VCVT from half", "0010", "x"), single("VCVT to half", "0011", "x"),
        single("VCMP", "0100", "x"), single("VCVT from integer", "1000", "x"), single("VCVT to unsigned", "1100", "x"),
        single("VCVT to signed", "1101", "x"),
        InstructionForm("VCMP zero", "11101110 1 x 11 0101 xxxx 1010 x 1 0 0 0000"),
        InstructionForm("VMOV constant", "11101110 1 x 11 xxxx xxxx 1010 0000 xxxx"),
        // Bits 3 to 0 and bit 5 are the width minus the number of fraction bits. For a width of 16 they are at most 15,
        // because the number of fraction bits must not be negative.
        InstructionForm("VCVT from fixed 32", "11101110 1 x 11 101 x xxxx 1010 1 1 x 0 xxxx"),
        InstructionForm("VCVT to fixed 32", "11101110 1 x 11 111 x xxxx 1010 1 1 x 0 xxxx"),
        InstructionForm("VCVT from fixed 16", "11101110 1 x 11 101 x xxxx 1010 0 1 x 0 0xxx"),
        InstructionForm("VCVT to fixed 16", "11101110 1 x 11 111 x xxxx 1010 0 1 x 0 0xxx"),
    ]

    private static let moves = [
        InstructionForm("VMOV from core", "11101110 0000 xxxx tttt 1010 x 0010000"),
        InstructionForm("VMOV to core", "11101110 0001 xxxx tttt 1010 x 0010000"),
        InstructionForm("VMOV half from core", "11101110 00 x 0 0xxx tttt 1011 0 0010000"),
        InstructionForm("VMOV half to core", "11101110 00 x 1 0xxx tttt 1011 0 0010000"),
        InstructionForm("VMOV pair from core", "11101100 0100 dddd llll 1010 00 x 1 0xxx"),
        InstructionForm("VMOV pair to core", "11101100 0101 dddd llll 1010 00 x 1 0xxx"),
        InstructionForm("VMOV double from core", "11101100 0100 dddd llll 1011 0001 0xxx"),
        InstructionForm("VMOV double to core", "11101100 0101 dddd llll 1011 0001 0xxx"),
        InstructionForm("VMRS", "11101110 1111 0001 tttt 1010 00010000"),
        InstructionForm("VMRS flags", "11101110 1111 0001 1111 1010 00010000"),
    ]

    /// Turns the floating-point unit on (CPACR), and gives each of its registers a random value.
    mutating func beginFloat() {
        load(0, 0xE000_ED88)
        load(1, 0x00F0_0000)
        // STR r1, [r0]; DSB; ISB
        append([0x6001, 0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F])
        for register in 0..<32 as Range<UInt16> { setNumber(register) }
    }

    mutating func appendFloat() {
        switch draw(10) {
        case 0: append(form(RandomProgram.moves))
        case 1: appendFloatAccess()
        case 2:
            // VMSR, with a random rounding mode and other random modes.
            load(0, UInt32(truncatingIfNeeded: draw(32)) << 22)
            append([0xEEE1, 0x0A10])
        case 3, 4: setNumber(UInt16(draw(32)))
        case _: append(form(RandomProgram.onNumbers))
        }
    }

    /// Appends VMOV of a random number. A quarter of the numbers are edge cases, such as infinities and NaNs.
    private mutating func setNumber(_ register: UInt16) {
        load(0, single())
        append([0xEE00 | register >> 1, 0x0A10 | (register & 1) << 7])
    }

    private mutating func single() -> UInt32 {
        let edges: [UInt32] = [
            0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0001, 0xFFC1_2345, 0x7F80_0001, 0xFFA0_0000, 1,
            0x807F_FFFF,
            0x0080_0000, 0x7F7F_FFFF, 0x3F80_0000, 0xBF80_0000, 0x4F00_0000, 0xCF00_0000, 0x4F80_0000, 0x477F_F000,
            0x3300_0000, 0x3880_0000,
        ]
        switch draw(4) {
        case 0: return edges[Int(draw(UInt64(edges.count)))]
        case 1: return UInt32(truncatingIfNeeded: draw(1 << 32))
        case _:
            // Numbers of medium size, so that sums and products are rounded in every way.
            let exponent = UInt32(127 - 30 + draw(60))
            return UInt32(draw(2)) << 31 | exponent << 23 | UInt32(draw(1 << 23))
        }
    }

    private mutating func appendFloatAccess() {
        let forms = [
            InstructionForm("VLDR", "11101101 x x 01 nnnn xxxx 1010 00 xxxxxx"),
            InstructionForm("VSTR", "11101101 x x 00 nnnn xxxx 1010 00 xxxxxx"),
            InstructionForm("VLDR double", "11101101 x 0 01 nnnn 0xxx 1011 00 xxxxxx"),
            InstructionForm("VSTR double", "11101101 x 0 00 nnnn 0xxx 1011 00 xxxxxx"),
            // The first register is one of S0 to S15, so that the list of at most 15 registers never exceeds S31.
            InstructionForm("VLDM", "11101100 1 x y1 nnnn 0xxx 1010 0000 1xxx"),
            InstructionForm("VSTM", "11101100 1 x y0 nnnn 0xxx 1010 0000 1xxx"),
            InstructionForm("VLDMDB", "11101101 0 x 11 nnnn 0xxx 1010 0000 1xxx"),
            InstructionForm("VSTMDB", "11101101 0 x 10 nnnn 0xxx 1010 0000 1xxx"),
            InstructionForm("VLDM double", "11101100 1 0 y1 nnnn 00xx 1011 0000 1xx0"),
            InstructionForm("VSTM double", "11101100 1 0 y0 nnnn 00xx 1011 0000 1xx0"),
        ]
        append(form(forms), ["n": 12])
        load(12, RandomProgram.base)
    }
}
