/// The 32-bit instructions, by their groups (A5.3).
extension Decoder {
    static func long(_ first: UInt32, _ second: UInt32) -> Instruction {
        let group = bits(first, 4, 7)
        switch bits(first, 11, 2) {
        case 0b01:
            if group & 0b1000000 != 0 { return coprocessor(first, second) }
            if group & 0b0100000 != 0 { return shiftedRegister(first, second) }
            return group & 0b0000100 != 0 ? dualExclusiveTable(first, second) : longMultiple(first, second)
        case 0b10:
            if isSet(second, 15) { return branchesAndControl(first, second) }
            return group & 0b0100000 != 0 ? plainConstant(first, second) : modifiedConstant(first, second)
        case _:
            if group & 0b1000000 != 0 { return coprocessor(first, second) }
            switch bits(group, 3, 3) {
            case 0b000, 0b001, 0b010, 0b011: return single(first, second)
            case 0b100, 0b101: return registers(first, second)
            case 0b110: return multiplyWord(first, second)
            case _: return multiplyLong(first, second)
            }
        }
    }

    /// A5.3.11.
    private static func shiftedRegister(_ first: UInt32, _ second: UInt32) -> Instruction {
        let shift = shift(type: bits(second, 4, 2), amount: bits(second, 12, 3) &<< 2 | bits(second, 6, 2))
        if bits(first, 5, 4) == 0b0110 {
            return .pack(
                HalfwordPack(
                    kept: isSet(second, 5) ? .upper : .lower, destination: register(second, 8),
                    first: register(first, 0), second: register(second, 0), shift: shift))
        }
        return arithmetic(first, second, .register(register(second, 0), shift))
    }

    /// A5.3.1.
    private static func modifiedConstant(_ first: UInt32, _ second: UInt32) -> Instruction {
        let constant = bits(first, 10, 1) &<< 11 | bits(second, 12, 3) &<< 8 | bits(second, 0, 8)
        return arithmetic(first, second, expand(constant))
    }

    /// The operations that a shifted register and a constant share.
    private static func arithmetic(_ first: UInt32, _ second: UInt32, _ operand: Operand) -> Instruction {
        let (source, destination) = (register(first, 0), register(second, 8))
        let changesFlags = isSet(first, 4)
        let compares = destination == 15 && changesFlags
        let operation: Arithmetic.Operation
        switch bits(first, 5, 4) {
        case 0b0000: operation = compares ? .test : .and
        case 0b0001: operation = .clear
        case 0b0010: operation = source == 15 ? .move : .or
        case 0b0011: operation = source == 15 ? .moveNot : .orNot
        case 0b0100: operation = compares ? .testEqual : .exclusiveOr
        case 0b1000: operation = compares ? .compareNegative : .add
        case 0b1010: operation = .addCarry
        case 0b1011: operation = .subtractCarry
        case 0b1101: operation = compares ? .compare : .subtract
        case 0b1110: operation = .reverseSubtract
        case _: return .undefined
        }
        return .arithmetic(
            Arithmetic(
                operation: operation, destination: destination, first: source, second: operand,
                flags: changesFlags ? .always : .never))
    }

    /// A5.3.3.
    private static func plainConstant(_ first: UInt32, _ second: UInt32) -> Instruction {
        let (source, destination) = (register(first, 0), register(second, 8))
        let constant = bits(first, 10, 1) &<< 11 | bits(second, 12, 3) &<< 8 | bits(second, 0, 8)
        let wide = UInt16(truncatingIfNeeded: bits(first, 0, 4) &<< 12 | constant)
        let lowest = bits(second, 12, 3) &<< 2 | bits(second, 6, 2)
        func add(_ operation: Arithmetic.Operation) -> Instruction {
            if source == 15 {
                let offset = Int32(constant)
                return .address(destination, offset: operation == .add ? offset : -offset)
            }
            return .arithmetic(
                Arithmetic(
                    operation: operation, destination: destination, first: source,
                    second: .constant(constant), flags: .never))
        }
        func field(_ operation: BitField.Operation, width: UInt32) -> Instruction {
            .bitField(
                BitField(
                    operation: operation, destination: destination, source: source,
                    lowest: UInt8(truncatingIfNeeded: lowest), width: UInt8(truncatingIfNeeded: width)))
        }
        switch bits(first, 4, 5) {
        case 0b00000: return add(.add)
        case 0b00100: return .moveHalf(destination, wide, half: .lower)
        case 0b01010: return add(.subtract)
        case 0b01100: return .moveHalf(destination, wide, half: .upper)
        case 0b10000, 0b10010: return saturate(.signed, first, second)
        case 0b10100: return field(.extractSigned, width: bits(second, 0, 5) &+ 1)
        case 0b10110:
            let highest = bits(second, 0, 5)
            guard highest >= lowest else { return .undefined }
            return field(source == 15 ? .clear : .insert, width: highest &- lowest &+ 1)
        case 0b11000, 0b11010: return saturate(.unsigned, first, second)
        case 0b11100: return field(.extractUnsigned, width: bits(second, 0, 5) &+ 1)
        case _: return .undefined
        }
    }

    /// SSAT and USAT, and SSAT16 and USAT16 where the shift would be an arithmetic one by nothing.
    private static func saturate(_ signedness: Signedness, _ first: UInt32, _ second: UInt32) -> Instruction {
        let amount = bits(second, 12, 3) &<< 2 | bits(second, 6, 2)
        let isArithmetic = isSet(first, 5)
        let width = bits(second, 0, 5) &+ (signedness == .signed ? 1 : 0)
        return .saturate(
            Saturation(
                signedness: signedness,
                lanes: isArithmetic && amount == 0
                    ? .halfwords : .word(shift(type: isArithmetic ? 2 : 0, amount: amount)),
                width: UInt8(truncatingIfNeeded: width), destination: register(second, 8), source: register(first, 0)))
    }

    /// A5.3.4: branches, special registers, hints and barriers.
    private static func branchesAndControl(_ first: UInt32, _ second: UInt32) -> Instruction {
        let (sign, j1, j2) = (bits(first, 10, 1), bits(second, 13, 1), bits(second, 11, 1))
        if isSet(second, 12) {
            // The two bits below the sign are stored as whether they equal it.
            let (i1, i2) = (1 &- (j1 ^ sign), 1 &- (j2 ^ sign))
            let high = sign &<< 24 | i1 &<< 23 | i2 &<< 22
            let offset = signed(high | bits(first, 0, 10) &<< 12 | bits(second, 0, 11) &<< 1, bits: 25)
            return .branch(isSet(second, 14) ? .link(offset) : .relative(offset, .always))
        }
        if isSet(second, 14) { return .undefined }
        if bits(first, 7, 3) != 0b111 {
            guard let condition = Condition(rawValue: UInt8(truncatingIfNeeded: bits(first, 6, 4))) else {
                return .undefined
            }
            let high = sign &<< 20 | j2 &<< 19 | j1 &<< 18
            return .branch(
                .relative(signed(high | bits(first, 0, 6) &<< 12 | bits(second, 0, 11) &<< 1, bits: 21), condition))
        }
        let special = UInt8(truncatingIfNeeded: second)
        switch bits(first, 4, 7) {
        case 0b0111000, 0b0111001:
            let mask = UInt8(truncatingIfNeeded: bits(second, 10, 2))
            return .system(.write(register(first, 0), special: special, mask: mask))
        case 0b0111010: return .system(bits(second, 4, 4) == 0 ? hint(bits(second, 0, 4)) : .none)
        case 0b0111011:
            switch bits(second, 4, 4) {
            case 2: return .exclusive(.clear)
            case 4, 5, 6: return .system(.barrier)
            case _: return .undefined
            }
        case 0b0111110, 0b0111111: return .system(.read(register(second, 8), special: special))
        case _: return .undefined
        }
    }
}
