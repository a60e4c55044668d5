/// Loads and stores. They access only the scratch memory, except for loads of literals.
extension RandomProgram {
    mutating func appendAccess() {
        switch draw(12) {
        case 0, 1: appendShortAccess()
        case 2: appendStackAccess()
        case 3, 4, 5: appendLongAccess()
        case 6: appendIndexedAccess()
        case 7: appendDual()
        case 8: appendMultiple()
        case 9: appendStack()
        case 10: appendExclusive()
        case _: appendLiteral()
        }
    }

    private mutating func appendShortAccess() {
        load(7, RandomProgram.base)
        load(6, UInt32(draw(256)))
        let forms = [
            InstructionForm("STR", "01100 xxxxx nnn ttt"), InstructionForm("LDR", "01101 xxxxx nnn ttt"),
            InstructionForm("STRB", "01110 xxxxx nnn ttt"), InstructionForm("LDRB", "01111 xxxxx nnn ttt"),
            InstructionForm("STRH", "10000 xxxxx nnn ttt"), InstructionForm("LDRH", "10001 xxxxx nnn ttt"),
            InstructionForm("STR register", "0101000 mmm nnn ttt"),
            InstructionForm("STRH register", "0101001 mmm nnn ttt"),
            InstructionForm("STRB register", "0101010 mmm nnn ttt"),
            InstructionForm("LDRSB register", "0101011 mmm nnn ttt"),
            InstructionForm("LDR register", "0101100 mmm nnn ttt"),
            InstructionForm("LDRH register", "0101101 mmm nnn ttt"),
            InstructionForm("LDRB register", "0101110 mmm nnn ttt"),
            InstructionForm("LDRSH register", "0101111 mmm nnn ttt"),
        ]
        append(form(forms), ["n": 7, "m": 6, "t": UInt32(draw(6))])
    }

    private mutating func appendStackAccess() {
        let forms = [
            InstructionForm("STR from SP", "10010 ttt xxxxxxxx"), InstructionForm("LDR from SP", "10011 ttt xxxxxxxx"),
        ]
        append(form(forms))
    }

    /// The mnemonics of 32-bit loads and stores, with bit 24 and bits 22 to 20 of their encodings.
    private static let kinds = [
        ("STRB", "0", "000"), ("STRH", "0", "010"), ("STR", "0", "100"), ("LDRB", "0", "001"), ("LDRH", "0", "011"),
        ("LDR", "0", "101"), ("LDRSB", "1", "001"), ("LDRSH", "1", "011"),
    ]

    private mutating func appendLongAccess() {
        let (name, sign, kind) = RandomProgram.kinds[Int(draw(8))]
        load(11, UInt32(draw(256)))
        let head = "1111100 \(sign)"
        let forms = [
            InstructionForm("\(name).W far", "\(head) 1 \(kind) nnnn tttt xxxxxxxxxxxx"),
            InstructionForm("\(name).W back", "\(head) 0 \(kind) nnnn tttt 1100 xxxxxxxx"),
            InstructionForm("\(name).W register", "\(head) 0 \(kind) nnnn tttt 000000 xx mmmm"),
            InstructionForm("\(name)T", "\(head) 0 \(kind) nnnn tttt 1110 xxxxxxxx"),
        ]
        append(form(forms), ["n": 12, "m": 11])
    }

    private mutating func appendIndexedAccess() {
        let (name, sign, kind) = RandomProgram.kinds[Int(draw(8))]
        let head = "1111100 \(sign) 0 \(kind) nnnn tttt"
        let forms = [
            InstructionForm("\(name).W before", "\(head) 11x1 xxxxxxxx"),
            InstructionForm("\(name).W after", "\(head) 10x1 xxxxxxxx"),
        ]
        append(form(forms), ["n": 12])
        load(12, RandomProgram.base)
    }

    private mutating func appendDual() {
        let forms = [
            InstructionForm("STRD", "1110100 1 x 1 0 0 nnnn dddd llll xxxxxxxx"),
            InstructionForm("LDRD", "1110100 1 x 1 0 1 nnnn dddd llll xxxxxxxx"),
            InstructionForm("STRD before", "1110100 1 x 1 1 0 nnnn dddd llll xxxxxxxx"),
            InstructionForm("LDRD before", "1110100 1 x 1 1 1 nnnn dddd llll xxxxxxxx"),
            InstructionForm("STRD after", "1110100 0 x 1 1 0 nnnn dddd llll xxxxxxxx"),
            InstructionForm("LDRD after", "1110100 0 x 1 1 1 nnnn dddd llll xxxxxxxx"),
        ]
        append(form(forms), ["n": 12])
        load(12, RandomProgram.base)
    }

    private mutating func appendMultiple() {
        if draw(2) == 0 {
            load(7, RandomProgram.base)
            // The list of registers is not empty, and does not contain the base.
            let registers = UInt32(1 + draw(127))
            let forms = [
                InstructionForm("STM", "11000 nnn 0 xxxxxxx"), InstructionForm("LDM", "11001 nnn 0 xxxxxxx"),
            ]
            return append(form(forms), ["n": 7, "x": registers])
        }
        // The list has at least two registers.
        let registers = UInt32(draw(1 << 12)) | 1 << UInt32(draw(6)) | 1 << UInt32(6 + draw(6))
        let forms = [
            InstructionForm("STM.W", "1110100010 y 0 nnnn 0000 xxxxxxxxxxxx"),
            InstructionForm("LDM.W", "1110100010 y 1 nnnn 0000 xxxxxxxxxxxx"),
            InstructionForm("STMDB", "1110100100 y 0 nnnn 0000 xxxxxxxxxxxx"),
            InstructionForm("LDMDB", "1110100100 y 1 nnnn 0000 xxxxxxxxxxxx"),
        ]
        append(form(forms), ["n": 12, "x": registers])
        load(12, RandomProgram.base)
    }

    private mutating func appendStack() {
        let forms = [
            InstructionForm("PUSH", "1011010 0 xxxxxxxx"), InstructionForm("POP", "1011110 0 xxxxxxxx"),
            InstructionForm("PUSH with LR", "1011010 1 xxxxxxxx"),
        ]
        append(form(forms), ["x": UInt32(1 + draw(255))])
        let moves = [
            InstructionForm("ADD SP", "101100000 xxxxxxx"), InstructionForm("SUB SP", "101100001 xxxxxxx"),
            InstructionForm("ADD.W SP", "11110 x 010000 1101 0 xxx 1101 xxxxxxxx"),
        ]
        append(form(moves))
        load(11, RandomProgram.stack)
        // MOV SP, r11.
        append([0x46DD])
    }

    private mutating func appendExclusive() {
        let offset = UInt32(draw(256))
        // The register that receives the status differs from the other registers.
        let (value, status) = (UInt32(draw(6)), UInt32(6 + draw(6)))
        if draw(3) > 0 {
            append(InstructionForm("LDREX", "111010000101 nnnn tttt 1111 xxxxxxxx"), ["n": 12, "x": offset])
        }
        if draw(4) == 0 { append(InstructionForm("CLREX", "1111001110111111 1000111100101111")) }
        append(
            InstructionForm("STREX", "111010000100 nnnn tttt dddd xxxxxxxx"),
            ["n": 12, "t": value, "d": status, "x": offset])
        let (name, code) = draw(2) == 0 ? ("B", "0100") : ("H", "0101")
        append(InstructionForm("LDREX\(name)", "111010001101 nnnn tttt 1111 \(code) 1111"), ["n": 12])
        append(
            InstructionForm("STREX\(name)", "111010001100 nnnn tttt 1111 \(code) dddd"),
            ["n": 12, "t": value, "d": status])
    }

    private mutating func appendLiteral() {
        let forms = [
            InstructionForm("LDR literal", "01001 ttt xxxxxxxx"),
            InstructionForm("LDR.W literal ahead", "111110001101 1111 tttt xxxxxxxxxxxx"),
            InstructionForm("LDR.W literal behind", "111110000101 1111 tttt 000000 xxxxxx"),
            InstructionForm("LDRB literal", "111110001001 1111 tttt xxxxxxxxxxxx"),
            InstructionForm("LDRSB literal", "111110011001 1111 tttt xxxxxxxxxxxx"),
            InstructionForm("LDRH literal", "111110001011 1111 tttt xxxxxxxxxxxx"),
            InstructionForm("LDRSH literal", "111110011011 1111 tttt xxxxxxxxxxxx"),
            InstructionForm("LDRD literal", "1110100 1 1 1 0 1 1111 dddd llll xxxxxxxx"),
        ]
        append(form(forms))
    }
}
