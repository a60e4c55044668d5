extension RandomProgram {
    mutating func appendBranch() {
        switch draw(8) {
        case 0: appendShortBranch()
        case 1: appendLongBranch()
        case 2: appendCall()
        case 3: appendCompareBranch()
        case 4: appendTable()
        case 5: appendLoop()
        case 6: appendRegisterBranch()
        case _: appendReturn()
        }
    }

    /// Returns one to four random instructions, which a branch may skip.
    private mutating func fewInstructions() -> [UInt16] {
        var instructions: [UInt16] = []
        for _ in 0..<1 + draw(4) { instructions += code(of: form(InstructionForm.onRegisters)) }
        return instructions
    }

    /// Appends a 16-bit branch over a few instructions. Its distance counts from the address of the branch plus 4.
    private mutating func appendShortBranch() {
        let body = fewInstructions()
        let distance = UInt16(body.count * 2 - 2)
        if draw(4) == 0 {
            append([0xE000 | distance / 2])
        } else {
            append([0xD000 | UInt16(draw(14)) << 8 | distance / 2])
        }
        append(body)
    }

    private mutating func appendLongBranch() {
        let body = fewInstructions()
        if draw(2) == 0 {
            append(RandomProgram.branch(0x9000, Int32(body.count * 2)))
        } else {
            append(RandomProgram.conditional(UInt16(draw(14)), Int32(body.count * 2)))
        }
        append(body)
    }

    private mutating func appendCall() {
        let body = fewInstructions()
        append(RandomProgram.branch(0xD000, Int32(body.count * 2)))
        append(body)
    }

    private mutating func appendCompareBranch() {
        let body = fewInstructions()
        let distance = UInt16(body.count * 2 - 2)
        let isNonzero = draw(2) == 0
        let register = UInt16(draw(8))
        if draw(2) == 0 { load(UInt32(register), 0) }
        let opcode: UInt16 = isNonzero ? 0xB900 : 0xB100
        append([opcode | (distance >> 6 & 1) << 9 | (distance >> 1 & 31) << 3 | register])
        append(body)
    }

    /// Appends a table branch, which jumps over its own table to one of two bodies.
    private mutating func appendTable() {
        let (first, second) = (fewInstructions(), fewInstructions())
        load(11, UInt32(draw(2)))
        if draw(2) == 0 {
            append([0xE8DF, 0xF00B, UInt16(1) | UInt16(1 + first.count) << 8])
        } else {
            append([0xE8DF, 0xF01B, 2, UInt16(2 + first.count)])
        }
        append(first + second)
    }

    /// Appends a loop of one to three rounds. The link register counts the rounds.
    private mutating func appendLoop() {
        load(14, UInt32(1 + draw(3)))
        let body = fewInstructions()
        append(body)
        // SUBS lr, lr, #1
        append([0xF1BE, 0x0E01])
        if draw(2) == 0 {
            append([0xD100 | UInt16(truncatingIfNeeded: -(body.count + 4)) & 0xFF])
        } else {
            append(RandomProgram.conditional(1, -Int32(body.count * 2 + 8)))
        }
    }

    private mutating func appendRegisterBranch() {
        let body = fewInstructions()
        // The target is after MOVW, MOVT, the branch and the body.
        load(10, (nextAddress + 8 + 2 + UInt32(body.count) * 2) | 1)
        switch draw(3) {
        case 0: append([0x4750])
        case 1: append([0x47D0])
        case _: append([0x46D7])
        }
        append(body)
    }

    /// Appends POP or LDR, which loads the program counter from the stack and so jumps over a few instructions.
    private mutating func appendReturn() {
        let body = fewInstructions()
        let kind = draw(2)
        // The target is after MOVW, MOVT, PUSH {r7}, the return and the body.
        load(7, (nextAddress + 8 + 2 + (kind == 0 ? 2 : 4) + UInt32(body.count) * 2) | 1)
        append([0xB480])
        switch kind {
        case 0: append([0xBD00])
        case _: append([0xF85D, 0xFB04])
        }
        append(body)
    }

    /// Returns B.W or BL. `second` has the fixed bits of the second halfword, which distinguish the two.
    private static func branch(_ second: UInt32, _ distance: Int32) -> [UInt16] {
        let bits = UInt32(bitPattern: distance)
        let sign = bits >> 24 & 1
        let (j1, j2) = (~(bits >> 23) & 1 ^ sign, ~(bits >> 22) & 1 ^ sign)
        let high: UInt32 = 0xF000 | sign << 10 | bits >> 12 & 0x3FF
        let low: UInt32 = second | j1 << 13 | j2 << 11 | bits >> 1 & 0x7FF
        return [UInt16(high), UInt16(low)]
    }

    private static func conditional(_ condition: UInt16, _ distance: Int32) -> [UInt16] {
        let bits = UInt32(bitPattern: distance)
        let high: UInt32 = 0xF000 | (bits >> 20 & 1) << 10 | UInt32(condition) << 6 | bits >> 12 & 0x3F
        let low: UInt32 = 0x8000 | (bits >> 18 & 1) << 13 | (bits >> 19 & 1) << 11 | bits >> 1 & 0x7FF
        return [UInt16(high), UInt16(low)]
    }
}
