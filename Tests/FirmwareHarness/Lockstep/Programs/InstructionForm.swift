import WatchLink

/// The encoding of an instruction, as the ARMv7-M Architecture Reference Manual (DDI 0403E, A7.7) prints it. Each bit
/// of a field has a letter. `draw` gives the fields random values.
struct InstructionForm: Sendable {
    /// The mnemonic. Words after it distinguish forms with the same mnemonic.
    let name: String
    /// Highest bit first. `0` and `1` stand for themselves. `d`, `n`, `m`, `a` and `t` are registers, and `l` is a
    /// second destination register. Other letters are any bits.
    let bits: [Character]
    /// Whether the instruction must not be in an IT block.
    let isOutsideBlocks: Bool

    init(_ name: String, _ bits: String, isOutsideBlocks: Bool = false) {
        self.name = name
        self.bits = bits.filter { $0 != " " }
        self.isOutsideBlocks = isOutsideBlocks
        precondition(self.bits.count == 16 || self.bits.count == 32, name)
    }

    /// Returns the halfwords of an instruction of this form.
    ///
    /// - Parameter fixed: the values of some fields. The other fields get random values.
    func draw(_ random: inout SplitMix64, _ fixed: [Character: UInt32] = [:]) -> [UInt16] {
        var fields = fixed
        for letter in Set(bits).sorted() where letter != "0" && letter != "1" && fields[letter] == nil {
            let width = bits.count { $0 == letter }
            fields[letter] = drawField(letter, width, fields, &random)
        }
        var word: UInt32 = 0
        var used: [Character: Int] = [:]
        for letter in bits {
            let bit: UInt32
            switch letter {
            case "0": bit = 0
            case "1": bit = 1
            case _:
                let width = bits.count { $0 == letter }
                let place = width - 1 - used[letter, default: 0]
                used[letter, default: 0] += 1
                bit = fields[letter, default: 0] >> UInt32(place) & 1
            }
            word = word << 1 | bit
        }
        return bits.count == 16 ? [UInt16(word)] : [UInt16(word >> 16), UInt16(word & 0xFFFF)]
    }

    private func drawField(
        _ letter: Character, _ width: Int, _ fields: [Character: UInt32], _ random: inout SplitMix64
    ) -> UInt32 {
        switch letter {
        case "d", "n", "m", "a", "t", "l":
            // Registers 0 to 7, or 0 to 11 if the field has room. Two destinations are never the same.
            while true {
                let register = UInt32(random.next() % (width < 4 ? 8 : 12))
                if letter != "l" || register != fields["d"] { return register }
            }
        case _: return UInt32(truncatingIfNeeded: random.next()) & (1 << UInt32(width) - 1)
        }
    }
}

extension InstructionForm {
    static let short: [InstructionForm] = [
        InstructionForm("LSL immediate", "00000 xxxxx mmm ddd"),
        InstructionForm("LSR immediate", "00001 xxxxx mmm ddd"),
        InstructionForm("ASR immediate", "00010 xxxxx mmm ddd"),
        InstructionForm("ADD register", "0001100 mmm nnn ddd"),
        InstructionForm("SUB register", "0001101 mmm nnn ddd"),
        InstructionForm("ADD 3-bit", "0001110 xxx nnn ddd"),
        InstructionForm("SUB 3-bit", "0001111 xxx nnn ddd"),
        InstructionForm("MOV 8-bit", "00100 ddd xxxxxxxx"),
        InstructionForm("CMP 8-bit", "00101 nnn xxxxxxxx"),
        InstructionForm("ADD 8-bit", "00110 ddd xxxxxxxx"),
        InstructionForm("SUB 8-bit", "00111 ddd xxxxxxxx"),
        InstructionForm("AND", "0100000000 mmm ddd"),
        InstructionForm("EOR", "0100000001 mmm ddd"),
        InstructionForm("LSL register", "0100000010 mmm ddd"),
        InstructionForm("LSR register", "0100000011 mmm ddd"),
        InstructionForm("ASR register", "0100000100 mmm ddd"),
        InstructionForm("ADC", "0100000101 mmm ddd"),
        InstructionForm("SBC", "0100000110 mmm ddd"),
        InstructionForm("ROR register", "0100000111 mmm ddd"),
        InstructionForm("TST", "0100001000 mmm nnn"),
        InstructionForm("RSB zero", "0100001001 nnn ddd"),
        InstructionForm("CMP", "0100001010 mmm nnn"),
        InstructionForm("CMN", "0100001011 mmm nnn"),
        InstructionForm("ORR", "0100001100 mmm ddd"),
        InstructionForm("MUL", "0100001101 nnn ddd"),
        InstructionForm("BIC", "0100001110 mmm ddd"),
        InstructionForm("MVN", "0100001111 mmm ddd"),
        InstructionForm("ADD high", "01000100 0 1 xxx ddd"),
        InstructionForm("CMP high", "01000101 0 1 xxx ddd"),
        InstructionForm("MOV high", "01000110 0 mmmm ddd"),
        InstructionForm("ADR", "10100 ddd xxxxxxxx"),
        InstructionForm("ADD to SP", "10101 ddd xxxxxxxx"),
        InstructionForm("SXTH", "1011001000 mmm ddd"),
        InstructionForm("SXTB", "1011001001 mmm ddd"),
        InstructionForm("UXTH", "1011001010 mmm ddd"),
        InstructionForm("UXTB", "1011001011 mmm ddd"),
        InstructionForm("REV", "1011101000 mmm ddd"),
        InstructionForm("REV16", "1011101001 mmm ddd"),
        InstructionForm("REVSH", "1011101011 mmm ddd"),
        InstructionForm("NOP", "1011111100000000"),
    ]

    /// Returns the two 32-bit forms of an operation: one with a shifted register, one with a constant.
    ///
    /// - Parameters:
    ///   - code: the bits that choose the operation.
    ///   - flags: the S bit, with which the instruction sets the flags.
    private static func long(
        _ name: String, _ code: String, _ flags: String, _ source: String, _ destination: String
    ) -> [InstructionForm] {
        [
            InstructionForm(
                "\(name).W register", "1110101 \(code) \(flags) \(source) 0 xxx \(destination) xxxx mmmm"),
            InstructionForm(
                "\(name).W constant", "11110 x 0 \(code) \(flags) \(source) 0 xxx \(destination) xxxxxxxx"),
        ]
    }

    private static let results: [(name: String, code: String)] = [
        ("AND", "0000"), ("BIC", "0001"), ("ORR", "0010"), ("ORN", "0011"), ("EOR", "0100"), ("ADD", "1000"),
        ("ADC", "1010"), ("SBC", "1011"), ("SUB", "1101"), ("RSB", "1110"),
    ]
    private static let comparisons: [(name: String, code: String)] = [
        ("TST", "0000"), ("TEQ", "0100"), ("CMN", "1000"), ("CMP", "1101"),
    ]
    private static let moves: [(name: String, code: String)] = [("MOV", "0010"), ("MVN", "0011")]

    static let longArithmetic: [InstructionForm] = [
        results.flatMap { long($0.name, $0.code, "x", "nnnn", "dddd") },
        comparisons.flatMap { long($0.name, $0.code, "1", "nnnn", "1111") },
        moves.flatMap { long($0.name, $0.code, "x", "1111", "dddd") },
    ].flatMap { $0 }

    static let longOthers: [InstructionForm] = [
        InstructionForm("ADDW", "11110 x 100000 nnnn 0 xxx dddd xxxxxxxx"),
        InstructionForm("SUBW", "11110 x 101010 nnnn 0 xxx dddd xxxxxxxx"),
        InstructionForm("ADR.W after", "11110 x 100000 1111 0 xxx dddd xxxxxxxx"),
        InstructionForm("ADR.W before", "11110 x 101010 1111 0 xxx dddd xxxxxxxx"),
        InstructionForm("MOVW", "11110 x 100100 xxxx 0 xxx dddd xxxxxxxx"),
        InstructionForm("MOVT", "11110 x 101100 xxxx 0 xxx dddd xxxxxxxx"),
        InstructionForm("SSAT left", "11110 0 110000 nnnn 0 xxx dddd xx 0 xxxxx"),
        InstructionForm("SSAT right", "11110 0 110010 nnnn 0 1xx dddd xx 0 xxxxx"),
        InstructionForm("SSAT16", "11110 0 110010 nnnn 0 000 dddd 00 00 xxxx"),
        InstructionForm("USAT left", "11110 0 111000 nnnn 0 xxx dddd xx 0 xxxxx"),
        InstructionForm("USAT right", "11110 0 111010 nnnn 0 1xx dddd xx 0 xxxxx"),
        InstructionForm("USAT16", "11110 0 111010 nnnn 0 000 dddd 00 00 xxxx"),
        // These fields end within the word, because they begin below bit 16 and have at most 16 bits.
        InstructionForm("SBFX", "11110 0 110100 nnnn 0 0xx dddd xx 0 0xxxx"),
        InstructionForm("UBFX", "11110 0 111100 nnnn 0 0xx dddd xx 0 0xxxx"),
        InstructionForm("BFI", "11110 0 110110 nnnn 0 0xx dddd xx 0 1xxxx"),
        InstructionForm("BFC", "11110 0 110110 1111 0 0xx dddd xx 0 1xxxx"),
        InstructionForm("PKHBT", "1110101 0110 0 nnnn 0 xxx dddd xx 0 0 mmmm"),
        InstructionForm("PKHTB", "1110101 0110 0 nnnn 0 xxx dddd xx 1 0 mmmm"),
        InstructionForm("RRX", "1110101 0010 x 1111 0 000 dddd 0011 mmmm"),
        InstructionForm("LSL.W register", "11111010 000 x nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("LSR.W register", "11111010 001 x nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("ASR.W register", "11111010 010 x nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("ROR.W register", "11111010 011 x nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("SEL", "11111010 1010 nnnn 1111 dddd 1000 mmmm"),
        InstructionForm("QADD", "11111010 1000 nnnn 1111 dddd 1000 mmmm"),
        InstructionForm("QDADD", "11111010 1000 nnnn 1111 dddd 1001 mmmm"),
        InstructionForm("QSUB", "11111010 1000 nnnn 1111 dddd 1010 mmmm"),
        InstructionForm("QDSUB", "11111010 1000 nnnn 1111 dddd 1011 mmmm"),
        InstructionForm("USAD8", "11111011 0111 nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("USADA8", "11111011 0111 nnnn aaaa dddd 0000 mmmm"),
        InstructionForm("MRS APSR", "1111001111101111 1000 dddd 00000000"),
        InstructionForm("MSR APSR", "111100111000 nnnn 1000 xx 00 00000000"),
        InstructionForm("CPS", "10110110011 x 00 x 0", isOutsideBlocks: true),
        InstructionForm("MRS PRIMASK", "1111001111101111 1000 dddd 00010000"),
        InstructionForm("MRS FAULTMASK", "1111001111101111 1000 dddd 00010011"),
        InstructionForm("MSR PRIMASK", "111100111000 nnnn 1000100000010000"),
        InstructionForm("DMB", "1111001110111111 1000111101011111"),
        InstructionForm("DSB", "1111001110111111 1000111101001111"),
        InstructionForm("ISB", "1111001110111111 1000111101101111", isOutsideBlocks: true),
        InstructionForm("NOP.W", "1111001110101111 1000000000000000"),
    ]

    static let extensions: [InstructionForm] = [
        ("SXTH", "000"), ("UXTH", "001"), ("SXTB16", "010"), ("UXTB16", "011"), ("SXTB", "100"), ("UXTB", "101"),
    ].flatMap { name, code in
        [
            InstructionForm("\(name).W", "111110100 \(code) 1111 1111 dddd 10 xx mmmm"),
            InstructionForm("\(name) added", "111110100 \(code) nnnn 1111 dddd 10 xx mmmm"),
        ]
    }

    static let bits: [InstructionForm] = [
        ("REV", "01", "00"), ("REV16", "01", "01"), ("RBIT", "01", "10"),
        ("REVSH", "01", "11"), ("CLZ", "11", "00"),
    ].flatMap { name, group, kind in
        // The encoding contains the source register twice, so each register has its own form.
        (0..<12).map { number in
            let register = String(repeating: "0", count: 4 - String(number, radix: 2).count) + String(number, radix: 2)
            return InstructionForm(
                "\(name).W", "1111101010 \(group) \(register) 1111 dddd 10 \(kind) \(register)")
        }
    }

    static let parallel: [InstructionForm] = [
        ("ADD16", "001"), ("ASX", "010"), ("SAX", "110"), ("SUB16", "101"), ("ADD8", "000"), ("SUB8", "100"),
    ].flatMap { name, operation in
        [("S", "000"), ("Q", "001"), ("SH", "010"), ("U", "100"), ("UQ", "101"), ("UH", "110")].map { prefix, kind in
            InstructionForm("\(prefix)\(name)", "111110101 \(operation) nnnn 1111 dddd 0 \(kind) mmmm")
        }
    }

    static let multiplications: [InstructionForm] = [
        InstructionForm("MUL.W", "111110110000 nnnn 1111 dddd 0000 mmmm"),
        InstructionForm("MLA", "111110110000 nnnn aaaa dddd 0000 mmmm"),
        InstructionForm("MLS", "111110110000 nnnn aaaa dddd 0001 mmmm"),
        InstructionForm("SMULxy", "111110110001 nnnn 1111 dddd 00 xx mmmm"),
        InstructionForm("SMLAxy", "111110110001 nnnn aaaa dddd 00 xx mmmm"),
        InstructionForm("SMUAD", "111110110010 nnnn 1111 dddd 000 x mmmm"),
        InstructionForm("SMLAD", "111110110010 nnnn aaaa dddd 000 x mmmm"),
        InstructionForm("SMULWy", "111110110011 nnnn 1111 dddd 000 x mmmm"),
        InstructionForm("SMLAWy", "111110110011 nnnn aaaa dddd 000 x mmmm"),
        InstructionForm("SMUSD", "111110110100 nnnn 1111 dddd 000 x mmmm"),
        InstructionForm("SMLSD", "111110110100 nnnn aaaa dddd 000 x mmmm"),
        InstructionForm("SMMUL", "111110110101 nnnn 1111 dddd 000 x mmmm"),
        InstructionForm("SMMLA", "111110110101 nnnn aaaa dddd 000 x mmmm"),
        InstructionForm("SMMLS", "111110110110 nnnn aaaa dddd 000 x mmmm"),
        InstructionForm("SMULL", "111110111000 nnnn llll dddd 0000 mmmm"),
        InstructionForm("SDIV", "111110111001 nnnn 1111 dddd 1111 mmmm"),
        InstructionForm("UMULL", "111110111010 nnnn llll dddd 0000 mmmm"),
        InstructionForm("UDIV", "111110111011 nnnn 1111 dddd 1111 mmmm"),
        InstructionForm("SMLAL", "111110111100 nnnn llll dddd 0000 mmmm"),
        InstructionForm("SMLALxy", "111110111100 nnnn llll dddd 10 xx mmmm"),
        InstructionForm("SMLALD", "111110111100 nnnn llll dddd 110 x mmmm"),
        InstructionForm("SMLSLD", "111110111101 nnnn llll dddd 110 x mmmm"),
        InstructionForm("UMLAL", "111110111110 nnnn llll dddd 0000 mmmm"),
        InstructionForm("UMAAL", "111110111110 nnnn llll dddd 0110 mmmm"),
    ]

    static let onRegisters: [InstructionForm] = [
        short, longArithmetic, longOthers, extensions, bits, parallel, multiplications,
    ].flatMap { $0 }
}
