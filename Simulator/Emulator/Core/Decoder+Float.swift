/// The floating-point instructions (A5.3.18, A6.4 to A6.8).
extension Decoder {
    static func coprocessor(_ first: UInt32, _ second: UInt32) -> Instruction {
        // Other coprocessors.
        guard !isSet(first, 12), bits(second, 9, 3) == 0b101 else { return .undefined }
        guard bits(first, 8, 4) == 0b1110 else { return floatAccess(first, second) }
        guard isSet(second, 4) else {
            // Double precision has only loads, stores and moves.
            return isSet(second, 8) ? .undefined : floatArithmetic(first, second)
        }
        return floatTransfer(first, second)
    }

    private static func destination(_ first: UInt32, _ second: UInt32) -> FloatRegister {
        register(second, 12) &<< 1 | FloatRegister(truncatingIfNeeded: bits(first, 6, 1))
    }

    private static func left(_ first: UInt32, _ second: UInt32) -> FloatRegister {
        register(first, 0) &<< 1 | FloatRegister(truncatingIfNeeded: bits(second, 7, 1))
    }

    private static func right(_ second: UInt32) -> FloatRegister {
        register(second, 0) &<< 1 | FloatRegister(truncatingIfNeeded: bits(second, 5, 1))
    }

    private static func floatArithmetic(_ first: UInt32, _ second: UInt32) -> Instruction {
        let isOther = isSet(second, 6)
        let operation: FloatInstruction.Operation
        switch (isSet(first, 7), bits(first, 4, 2)) {
        case (false, 0): operation = isOther ? .multiplyThenSubtract : .multiplyThenAdd
        case (false, 1): operation = isOther ? .negatedMultiplyThenAdd : .negatedMultiplyThenSubtract
        case (false, 2): operation = isOther ? .multiplyNegated : .multiply
        case (false, _): operation = isOther ? .subtract : .add
        case (true, 0):
            guard !isOther else { return .undefined }
            operation = .divide
        case (true, 1): operation = isOther ? .negatedFusedAdd : .negatedFusedSubtract
        case (true, 2): operation = isOther ? .fusedSubtract : .fusedAdd
        case (true, _): return floatOther(first, second)
        }
        return .float(.arithmetic(operation, destination(first, second), left(first, second), right(second)))
    }

    private static func floatOther(_ first: UInt32, _ second: UInt32) -> Instruction {
        let (target, source) = (destination(first, second), right(second))
        guard isSet(second, 6) else {
            return .float(.constant(target, floatConstant(bits(first, 0, 4) &<< 4 | bits(second, 0, 4))))
        }
        let isSecond = isSet(second, 7)
        let comparison: FloatInstruction.Comparison = isSecond ? .signaling : .quiet
        switch bits(first, 0, 4) {
        case 0: return .float(.single(isSecond ? .absolute : .move, target, source))
        case 1: return .float(.single(isSecond ? .squareRoot : .negate, target, source))
        case 2: return .float(.fromHalf(target, source, isSecond ? .upper : .lower))
        case 3: return .float(.toHalf(target, source, isSecond ? .upper : .lower))
        case 4: return .float(.compare(comparison, target, source))
        case 5: return .float(.compareZero(comparison, target))
        case 8: return .float(.fromInteger(target, source, isSecond ? .signed : .unsigned))
        case 12, 13:
            let signedness: Signedness = isSet(first, 0) ? .signed : .unsigned
            return .float(.toInteger(target, source, signedness, isSecond ? .towardsZero : .current))
        case 10, 11, 14, 15:
            let size: UInt32 = isSecond ? 32 : 16
            let position = bits(second, 0, 4) &<< 1 | bits(second, 5, 1)
            guard position <= size else { return .undefined }
            let fixed = FloatInstruction.Fixed(
                register: target, signedness: isSet(first, 0) ? .unsigned : .signed, bits: UInt8(size),
                fractionBits: UInt8(size &- position))
            return .float(isSet(first, 2) ? .toFixed(fixed) : .fromFixed(fixed))
        case _: return .undefined
        }
    }

    /// A constant of eight bits: sign, three bits of exponent, four of fraction (A6.4.1, VFPExpandImm).
    private static func floatConstant(_ code: UInt32) -> UInt32 {
        let sign = bits(code, 7, 1) &<< 31
        let exponent: UInt32 = isSet(code, 6) ? 0x7C : 0x80
        return sign | (exponent | bits(code, 4, 2)) &<< 23 | bits(code, 0, 4) &<< 19
    }

    private static func floatTransfer(_ first: UInt32, _ second: UInt32) -> Instruction {
        let core = register(second, 12)
        let isRead = isSet(first, 4)
        if !isSet(second, 8) {
            switch bits(first, 5, 3) {
            case 0:
                let number = left(first, second)
                return .float(isRead ? .toCore(core, number) : .fromCore(number, core))
            case 7: return .float(isRead ? .readStatus(core) : .writeStatus(core))
            case _: return .undefined
            }
        }
        guard bits(first, 6, 2) == 0, bits(second, 5, 2) == 0 else { return .undefined }
        // A half of a double-precision register.
        let number = register(first, 0) &<< 1 | FloatRegister(truncatingIfNeeded: bits(first, 5, 1))
        return .float(isRead ? .toCore(core, number) : .fromCore(number, core))
    }

    private static func floatAccess(_ first: UInt32, _ second: UInt32) -> Instruction {
        let isDouble = isSet(second, 8)
        if bits(first, 5, 4) == 0b0010 {
            let (core, other) = (register(second, 12), register(first, 0))
            let number = isDouble ? register(second, 0) &<< 1 : right(second)
            guard number < 31 else { return .undefined }
            return .float(isSet(first, 4) ? .pairToCore(core, other, number) : .pairFromCore(number, core, other))
        }
        let (isBefore, isAdded, writesBack) = (isSet(first, 8), isSet(first, 7), isSet(first, 5))
        let number = isDouble ? register(second, 12) &<< 1 : destination(first, second)
        let words = bits(second, 0, 8)
        let distance = Int32(words &* 4)
        func access(_ count: UInt32, offset: Int32, writeback: Int32) -> Instruction {
            // A list may not go beyond the last register.
            guard UInt32(number) + count <= 32 else { return .undefined }
            return .float(
                .access(
                    FloatInstruction.Access(
                        direction: isSet(first, 4) ? .load : .store, first: number,
                        count: UInt8(truncatingIfNeeded: count), base: register(first, 0), offset: offset,
                        writeback: writeback)))
        }
        switch (isBefore, isAdded, writesBack) {
        case (true, _, false): return access(isDouble ? 2 : 1, offset: isAdded ? distance : -distance, writeback: 0)
        case (false, true, _): return access(words, offset: 0, writeback: writesBack ? distance : 0)
        case (true, false, true): return access(words, offset: -distance, writeback: -distance)
        case (false, false, _), (true, true, true): return .undefined
        }
    }
}
