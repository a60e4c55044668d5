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
        return arithmetic(operation, destination, source, operand, changesFlags ? .always : .never)
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
            return arithmetic(operation, destination, source, .constant(constant), .never)
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

    /// SSAT and USAT; SSAT16 and USAT16 if the shift would be an arithmetic one by nothing.
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

/// The 32-bit operations on registers, and the multiplications (A5.3.12 to A5.3.17).
extension Decoder {
    static func registers(_ first: UInt32, _ second: UInt32) -> Instruction {
        guard bits(second, 12, 4) == 15 else { return .undefined }
        let (left, destination, right) = (register(first, 0), register(second, 8), register(second, 0))
        switch (isSet(first, 7), isSet(second, 7), isSet(second, 6)) {
        case (false, false, false) where bits(second, 4, 2) == 0:
            let kinds: [ShiftKind] = [.left, .logicalRight, .arithmeticRight, .rotateRight]
            return .shift(
                RegisterShift(
                    kind: kinds[Int(bits(first, 5, 2))], destination: destination, source: left, amount: right,
                    flags: isSet(first, 4) ? .always : .never))
        case (false, true, _): return extend(first, second)
        case (true, false, _): return parallel(first, second)
        case (true, true, false):
            return single(operation: bits(first, 4, 3), bits(second, 4, 2), left, destination, right)
        case _: return .undefined
        }
    }

    private static func extend(_ first: UInt32, _ second: UInt32) -> Instruction {
        let part: Extension.Part
        switch bits(first, 5, 2) {
        case 0: part = .halfword
        case 1: part = .bytePair
        case 2: part = .byte
        case _: return .undefined
        }
        let addend = register(first, 0)
        return .extend(
            Extension(
                part: part, signedness: isSet(first, 4) ? .unsigned : .signed, destination: register(second, 8),
                source: register(second, 0), rotation: UInt8(truncatingIfNeeded: bits(second, 4, 2) &* 8),
                addend: addend == 15 ? nil : addend))
    }

    /// A5.3.13 and A5.3.14.
    private static func parallel(_ first: UInt32, _ second: UInt32) -> Instruction {
        let operation: ParallelArithmetic.Operation
        switch bits(first, 4, 3) {
        case 0: operation = .add8
        case 1: operation = .add16
        case 2: operation = .addSubtractExchange
        case 4: operation = .subtract8
        case 5: operation = .subtract16
        case 6: operation = .subtractAddExchange
        case _: return .undefined
        }
        let result: ParallelArithmetic.Result
        switch bits(second, 4, 2) {
        case 0: result = .wrapping
        case 1: result = .saturating
        case 2: result = .halving
        case _: return .undefined
        }
        return .parallel(
            ParallelArithmetic(
                operation: operation, result: result, signedness: isSet(second, 6) ? .unsigned : .signed,
                destination: register(second, 8), first: register(first, 0), second: register(second, 0)))
    }

    /// A5.3.15.
    private static func single(
        operation: UInt32, _ kind: UInt32, _ left: Register, _ destination: Register, _ right: Register
    ) -> Instruction {
        switch (operation, kind) {
        case (0, _):
            let operations: [SaturatingAddition.Operation] = [.add, .doubleAdd, .subtract, .doubleSubtract]
            return .saturatingAdd(
                SaturatingAddition(
                    operation: operations[Int(kind)], destination: destination, first: right, second: left))
        case (1, 0): return .bits(.reverseBytes, destination: destination, source: right)
        case (1, 1): return .bits(.reverseBytesOfHalfwords, destination: destination, source: right)
        case (1, 2): return .bits(.reverseBits, destination: destination, source: right)
        case (1, _): return .bits(.reverseSignedHalfword, destination: destination, source: right)
        case (2, 0): return .select(destination: destination, first: left, second: right)
        case (3, 0): return .bits(.countLeadingZeros, destination: destination, source: right)
        case _: return .undefined
        }
    }

    static func multiplyWord(_ first: UInt32, _ second: UInt32) -> Instruction {
        let addend = register(second, 12)
        let adds = addend != 15
        let kind = bits(second, 4, 2)
        func multiply(_ operation: Multiply.Operation) -> Instruction {
            .multiply(
                Multiply(
                    operation: operation, destination: register(second, 8), addend: addend,
                    first: register(first, 0), second: register(second, 0), flags: .never))
        }
        let isRounded = isSet(second, 4)
        let secondHalf: Half = isSet(second, 4) ? .upper : .lower
        switch bits(first, 4, 3) {
        case 0 where kind == 0: return multiply(adds ? .wordAdd : .word)
        case 0 where kind == 1: return multiply(.wordSubtract)
        case 1:
            let halves = Multiply.Halves(first: isSet(second, 5) ? .upper : .lower, second: secondHalf)
            return multiply(adds ? .halfwordsAdd(halves) : .halfwords(halves))
        case 2, 4:
            let pair = pair(isDifference: isSet(first, 6), second)
            return multiply(adds ? .dualAdd(pair) : .dual(pair))
        case 3: return multiply(adds ? .wordByHalfwordAdd(secondHalf) : .wordByHalfword(secondHalf))
        case 5: return multiply(adds ? .highWordAdd(isRounded: isRounded) : .highWord(isRounded: isRounded))
        case 6: return multiply(.highWordSubtract(isRounded: isRounded))
        case 7 where kind == 0:
            return .absoluteDifferences(
                AbsoluteDifferences(
                    destination: register(second, 8), first: register(first, 0), second: register(second, 0),
                    addend: adds ? addend : nil))
        case _: return .undefined
        }
    }

    private static func pair(isDifference: Bool, _ second: UInt32) -> Multiply.Pair {
        Multiply.Pair(isDifference: isDifference, isCrossed: isSet(second, 4))
    }

    static func multiplyLong(_ first: UInt32, _ second: UInt32) -> Instruction {
        let kind = bits(second, 4, 4)
        func multiply(_ operation: Multiply.Operation) -> Instruction {
            .multiply(
                Multiply(
                    operation: operation, destination: register(second, 8), addend: register(second, 12),
                    first: register(first, 0), second: register(second, 0), flags: .never))
        }
        func divide(_ signedness: Signedness) -> Instruction {
            .divide(
                Division(
                    signedness: signedness, destination: register(second, 8), dividend: register(first, 0),
                    divisor: register(second, 0)))
        }
        switch (bits(first, 4, 3), kind) {
        case (0, 0): return multiply(.longSigned)
        case (1, 15): return divide(.signed)
        case (2, 0): return multiply(.longUnsigned)
        case (3, 15): return divide(.unsigned)
        case (4, 0): return multiply(.longSignedAdd)
        case (4, 8...11):
            return multiply(
                .halfwordsLongAdd(
                    Multiply.Halves(
                        first: isSet(second, 5) ? .upper : .lower, second: isSet(second, 4) ? .upper : .lower)))
        case (4, 12), (4, 13): return multiply(.dualLongAdd(pair(isDifference: false, second)))
        case (5, 12), (5, 13): return multiply(.dualLongAdd(pair(isDifference: true, second)))
        case (6, 0): return multiply(.longUnsignedAdd)
        case (6, 6): return multiply(.longUnsignedAddBoth)
        case _: return .undefined
        }
    }
}

/// The 32-bit loads and stores (A5.3.5 to A5.3.10).
extension Decoder {
    /// LDM, STM, PUSH and POP of all registers.
    static func longMultiple(_ first: UInt32, _ second: UInt32) -> Instruction {
        let order: MultipleAccess.Order
        switch bits(first, 7, 2) {
        case 0b01: order = .after
        case 0b10: order = .before
        case _: return .undefined
        }
        return .multiple(
            MultipleAccess(
                direction: isSet(first, 4) ? .load : .store, base: register(first, 0),
                registers: UInt16(truncatingIfNeeded: second), order: order,
                writesBack: isSet(first, 5)))
    }

    static func dualExclusiveTable(_ first: UInt32, _ second: UInt32) -> Instruction {
        let base = register(first, 0)
        let direction: TransferDirection = isSet(first, 4) ? .load : .store
        let (addsBefore, isAdded, writesBack) = (isSet(first, 8), isSet(first, 7), isSet(first, 5))
        if addsBefore || writesBack {
            let distance = Int32(bits(second, 0, 8) &* 4)
            return .dual(
                DualAccess(
                    direction: direction, first: register(second, 12), second: register(second, 8), base: base,
                    offset: isAdded ? distance : -distance,
                    indexing: addsBefore ? writesBack ? .before : .offset : .after))
        }
        guard isAdded else {
            let offset = Int32(bits(second, 0, 8) &* 4)
            return .exclusive(
                direction == .load
                    ? .load(.loadWord, register: register(second, 12), base: base, offset: offset)
                    : .store(
                        .storeWord, status: register(second, 8), register: register(second, 12), base: base,
                        offset: offset))
        }
        switch bits(second, 4, 4) {
        case 0, 1:
            guard direction == .load else { return .undefined }
            return .branch(
                .table(base: base, index: register(second, 0), entries: isSet(second, 4) ? .upper : .lower))
        case 4: return narrowExclusive(direction, .loadByte, .storeByte, first, second)
        case 5: return narrowExclusive(direction, .loadHalfword, .storeHalfword, first, second)
        case _: return .undefined
        }
    }

    private static func narrowExclusive(
        _ direction: TransferDirection, _ load: MemoryAccess.Kind, _ store: MemoryAccess.Kind, _ first: UInt32,
        _ second: UInt32
    ) -> Instruction {
        let (base, value) = (register(first, 0), register(second, 12))
        return switch direction {
        case .load: .exclusive(.load(load, register: value, base: base, offset: 0))
        case .store: .exclusive(.store(store, status: register(second, 0), register: value, base: base, offset: 0))
        }
    }

    /// Loads of bytes and halfwords into register 15 are hints for a cache.
    static func single(_ first: UInt32, _ second: UInt32) -> Instruction {
        let (value, base) = (register(second, 12), register(first, 0))
        guard let kind = kind(first) else { return .undefined }
        let isHint = value == 15 && kind != .loadWord
        if isHint, isSet(first, 4) { return .system(.none) }
        func access(_ offset: MemoryAccess.Offset, _ indexing: Indexing = .offset) -> Instruction {
            .access(MemoryAccess(kind: kind, register: value, base: base, offset: offset, indexing: indexing))
        }
        let far = Int32(bits(second, 0, 12))
        if base == 15 { return isSet(first, 4) ? access(.constant(isSet(first, 7) ? far : -far)) : .undefined }
        if isSet(first, 7) { return access(.constant(far)) }
        let near = Int32(bits(second, 0, 8))
        guard isSet(second, 11) else {
            guard bits(second, 6, 6) == 0 else { return .undefined }
            return access(.register(register(second, 0), UInt8(truncatingIfNeeded: bits(second, 4, 2))))
        }
        let signed = isSet(second, 9) ? near : -near
        switch (isSet(second, 10), isSet(second, 8)) {
        case (true, true): return access(.constant(signed), .before)
        // If bit 9 is set too, the access is one of an unprivileged program.
        case (true, false): return access(.constant(signed))
        case (false, true): return access(.constant(signed), .after)
        case (false, false): return .undefined
        }
    }

    private static func kind(_ first: UInt32) -> MemoryAccess.Kind? {
        switch (isSet(first, 4), bits(first, 5, 2), isSet(first, 8)) {
        case (false, 0, false): .storeByte
        case (false, 1, false): .storeHalfword
        case (false, 2, false): .storeWord
        case (true, 0, false): .loadByte
        case (true, 0, true): .loadSignedByte
        case (true, 1, false): .loadHalfword
        case (true, 1, true): .loadSignedHalfword
        case (true, 2, false): .loadWord
        case _: nil
        }
    }
}
