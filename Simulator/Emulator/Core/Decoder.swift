/// Reads instructions from their halfwords.
///
/// Forms that the architecture calls unpredictable are read like the others.
enum Decoder {
    /// An instruction with its length in bytes: 2 or 4.
    struct Decoded: Equatable, Sendable {
        var instruction: Instruction
        var length: UInt8
    }

    /// - Parameters:
    ///   - first: the halfword at the address of the instruction.
    ///   - second: the one behind it, which only 32-bit instructions have.
    static func decode(_ first: UInt16, _ second: UInt16) -> Decoded {
        // A5.1: these three prefixes begin a 32-bit instruction.
        guard first >= 0xE800 else { return Decoded(instruction: short(UInt32(first)), length: 2) }
        return Decoded(instruction: long(UInt32(first), UInt32(second)), length: 4)
    }

    @inline(__always)
    static func bits(_ number: UInt32, _ lowest: UInt32, _ count: UInt32) -> UInt32 {
        number &>> lowest & (1 &<< count &- 1)
    }

    @inline(__always)
    static func register(_ number: UInt32, _ lowest: UInt32) -> Register {
        Register(truncatingIfNeeded: bits(number, lowest, 4))
    }

    @inline(__always)
    static func lowRegister(_ number: UInt32, _ lowest: UInt32) -> Register {
        Register(truncatingIfNeeded: bits(number, lowest, 3))
    }

    @inline(__always)
    static func isSet(_ number: UInt32, _ bit: UInt32) -> Bool { number &>> bit & 1 != 0 }

    /// The number in the lowest `count` bits, the highest of them its sign.
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

    /// The 32-bit constant that 12 bits stand for (A5.3.2, ThumbExpandImm_C).
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

/// The 16-bit instructions (A5.2).
extension Decoder {
    static func short(_ code: UInt32) -> Instruction {
        switch bits(code, 10, 6) {
        case 0b000000...0b001111: shiftAddMoveCompare(code)
        case 0b010000: registerArithmetic(code)
        case 0b010001: highRegisters(code)
        case 0b010010, 0b010011:
            access(.loadWord, lowRegister(code, 8), 15, .constant(Int32(bits(code, 0, 8) &* 4)))
        case 0b010100...0b100111: shortAccess(code)
        case 0b101000, 0b101001: .address(lowRegister(code, 8), offset: Int32(bits(code, 0, 8) &* 4))
        case 0b101010, 0b101011:
            arithmetic(.add, lowRegister(code, 8), 13, .constant(bits(code, 0, 8) &* 4), .never)
        case 0b101100...0b101111: miscellaneous(code)
        case 0b110000, 0b110001: multiple(.store, code)
        case 0b110010, 0b110011: multiple(.load, code)
        case 0b110100...0b110111: conditional(code)
        case 0b111000, 0b111001: .branch(.relative(signed(bits(code, 0, 11), bits: 11) &* 2, .always))
        case _: .undefined
        }
    }

    static func arithmetic(
        _ operation: Arithmetic.Operation, _ destination: Register, _ first: Register, _ second: Operand,
        _ flags: FlagSetting
    ) -> Instruction {
        .arithmetic(
            Arithmetic(operation: operation, destination: destination, first: first, second: second, flags: flags))
    }

    private static func access(
        _ kind: MemoryAccess.Kind, _ register: Register, _ base: Register, _ offset: MemoryAccess.Offset
    ) -> Instruction {
        .access(MemoryAccess(kind: kind, register: register, base: base, offset: offset, indexing: .offset))
    }

    /// A5.2.1.
    private static func shiftAddMoveCompare(_ code: UInt32) -> Instruction {
        let (destination, source) = (lowRegister(code, 0), lowRegister(code, 3))
        switch bits(code, 11, 5) {
        case 0b00000, 0b00001, 0b00010:
            let shift = shift(type: bits(code, 11, 2), amount: bits(code, 6, 5))
            return arithmetic(.move, destination, 15, .register(source, shift), .outsideIT)
        case 0b00011:
            let second: Operand =
                isSet(code, 10) ? .constant(bits(code, 6, 3)) : .register(lowRegister(code, 6), .none)
            return arithmetic(isSet(code, 9) ? .subtract : .add, destination, source, second, .outsideIT)
        case let operation:
            let operations: [Arithmetic.Operation] = [.move, .compare, .add, .subtract]
            let chosen = operations[Int(operation & 3)]
            let register = lowRegister(code, 8)
            let flags: FlagSetting = chosen == .compare ? .always : .outsideIT
            return arithmetic(chosen, register, register, .constant(bits(code, 0, 8)), flags)
        }
    }

    /// A5.2.2.
    private static func registerArithmetic(_ code: UInt32) -> Instruction {
        let (destination, source) = (lowRegister(code, 0), lowRegister(code, 3))
        func both(_ operation: Arithmetic.Operation, _ flags: FlagSetting = .outsideIT) -> Instruction {
            arithmetic(operation, destination, destination, .register(source, .none), flags)
        }
        func shift(_ kind: ShiftKind) -> Instruction {
            .shift(
                RegisterShift(
                    kind: kind, destination: destination, source: destination, amount: source, flags: .outsideIT))
        }
        switch bits(code, 6, 4) {
        case 0: return both(.and)
        case 1: return both(.exclusiveOr)
        case 2: return shift(.left)
        case 3: return shift(.logicalRight)
        case 4: return shift(.arithmeticRight)
        case 5: return both(.addCarry)
        case 6: return both(.subtractCarry)
        case 7: return shift(.rotateRight)
        case 8: return both(.test, .always)
        case 9:
            return arithmetic(.reverseSubtract, destination, source, .constant(0), .outsideIT)
        case 10: return both(.compare, .always)
        case 11: return both(.compareNegative, .always)
        case 12: return both(.or)
        case 13:
            return .multiply(
                Multiply(
                    operation: .word, destination: destination, addend: 15, first: source, second: destination,
                    flags: .outsideIT))
        case 14: return both(.clear)
        case _: return both(.moveNot)
        }
    }

    /// A5.2.3: additions, comparisons and moves of all registers, BX and BLX.
    private static func highRegisters(_ code: UInt32) -> Instruction {
        let source = register(code, 3)
        let destination = lowRegister(code, 0) | (isSet(code, 7) ? 8 : 0)
        func both(_ operation: Arithmetic.Operation, _ flags: FlagSetting) -> Instruction {
            arithmetic(operation, destination, destination, .register(source, .none), flags)
        }
        switch bits(code, 8, 2) {
        case 0: return both(.add, .never)
        case 1: return both(.compare, .always)
        case 2: return both(.move, .never)
        case _: return .branch(isSet(code, 7) ? .linkRegister(source) : .register(source))
        }
    }

    /// A5.2.4.
    private static func shortAccess(_ code: UInt32) -> Instruction {
        let (register, base) = (lowRegister(code, 0), lowRegister(code, 3))
        func near(_ kind: MemoryAccess.Kind, _ size: UInt32) -> Instruction {
            access(kind, register, base, .constant(Int32(bits(code, 6, 5) &* size)))
        }
        switch bits(code, 11, 5) {
        case 0b01010, 0b01011:
            let kinds: [MemoryAccess.Kind] = [
                .storeWord, .storeHalfword, .storeByte, .loadSignedByte, .loadWord, .loadHalfword, .loadByte,
                .loadSignedHalfword,
            ]
            return access(kinds[Int(bits(code, 9, 3))], register, base, .register(lowRegister(code, 6), 0))
        case 0b01100: return near(.storeWord, 4)
        case 0b01101: return near(.loadWord, 4)
        case 0b01110: return near(.storeByte, 1)
        case 0b01111: return near(.loadByte, 1)
        case 0b10000: return near(.storeHalfword, 2)
        case 0b10001: return near(.loadHalfword, 2)
        case let kind:
            let offset = MemoryAccess.Offset.constant(Int32(bits(code, 0, 8) &* 4))
            return access(kind == 0b10010 ? .storeWord : .loadWord, lowRegister(code, 8), 13, offset)
        }
    }

    /// A5.2.5.
    private static func miscellaneous(_ code: UInt32) -> Instruction {
        let (destination, source) = (lowRegister(code, 0), lowRegister(code, 3))
        func extend(_ part: Extension.Part, _ signedness: Signedness) -> Instruction {
            .extend(
                Extension(
                    part: part, signedness: signedness, destination: destination, source: source, rotation: 0,
                    addend: nil))
        }
        switch bits(code, 5, 7) {
        case 0b0000000...0b0000111:
            return arithmetic(isSet(code, 7) ? .subtract : .add, 13, 13, .constant(bits(code, 0, 7) &* 4), .never)
        case 0b0110011:
            let registers = MaskRegisters(rawValue: UInt8(truncatingIfNeeded: code & 3))
            return .system(isSet(code, 4) ? .mask(registers) : .unmask(registers))
        case 0b1110000...0b1110111: return .system(.breakpoint(UInt8(truncatingIfNeeded: code)))
        case 0b1111000...0b1111111:
            return .system(bits(code, 0, 4) == 0 ? hint(bits(code, 4, 4)) : .ifThen(UInt8(truncatingIfNeeded: code)))
        case _: break
        }
        switch bits(code, 6, 6) {
        case 0b001000: return extend(.halfword, .signed)
        case 0b001001: return extend(.byte, .signed)
        case 0b001010: return extend(.halfword, .unsigned)
        case 0b001011: return extend(.byte, .unsigned)
        case 0b101000: return .bits(.reverseBytes, destination: destination, source: source)
        case 0b101001: return .bits(.reverseBytesOfHalfwords, destination: destination, source: source)
        case 0b101011: return .bits(.reverseSignedHalfword, destination: destination, source: source)
        case _: break
        }
        switch bits(code, 9, 3) {
        case 0b010:
            return stack(.store, UInt16(truncatingIfNeeded: bits(code, 0, 8) | bits(code, 8, 1) &<< 14))
        case 0b110:
            return stack(.load, UInt16(truncatingIfNeeded: bits(code, 0, 8) | bits(code, 8, 1) &<< 15))
        case 0b000, 0b001, 0b100, 0b101: return compareBranch(code)
        case _: return .undefined
        }
    }

    /// A5.2.5, hints; also those of 32 bits (A5.3.5).
    static func hint(_ number: UInt32) -> SystemInstruction {
        switch number {
        case 2: .waitForEvent
        case 3: .waitForInterrupt
        case 4: .sendEvent
        case _: .none
        }
    }

    private static func stack(_ direction: TransferDirection, _ registers: UInt16) -> Instruction {
        .multiple(
            MultipleAccess(
                direction: direction, base: 13, registers: registers, order: direction == .load ? .after : .before,
                writesBack: true))
    }

    private static func compareBranch(_ code: UInt32) -> Instruction {
        guard isSet(code, 8) else { return .undefined }
        let offset = Int32(bits(code, 9, 1) &<< 6 | bits(code, 3, 5) &<< 1)
        let register = lowRegister(code, 0)
        return .branch(isSet(code, 11) ? .whenNonzero(register, offset) : .whenZero(register, offset))
    }

    /// A load that fills its own base does not write it back (A7.7.41).
    private static func multiple(_ direction: TransferDirection, _ code: UInt32) -> Instruction {
        let base = lowRegister(code, 8)
        let registers = UInt16(truncatingIfNeeded: bits(code, 0, 8))
        let fillsBase = direction == .load && registers &>> base & 1 != 0
        return .multiple(
            MultipleAccess(
                direction: direction, base: base, registers: registers, order: .after,
                writesBack: !fillsBase))
    }

    /// A5.2.6.
    private static func conditional(_ code: UInt32) -> Instruction {
        switch bits(code, 8, 4) {
        case 14: .undefined
        case 15: .system(.supervisorCall(UInt8(truncatingIfNeeded: code)))
        case let number:
            if let condition = Condition(rawValue: UInt8(truncatingIfNeeded: number)) {
                .branch(.relative(signed(bits(code, 0, 8), bits: 8) &* 2, condition))
            } else {
                .undefined
            }
        }
    }
}
