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
        let rounding: Multiply.Rounding = isSet(second, 4) ? .nearest : .cut
        let secondHalf: Half = isSet(second, 4) ? .upper : .lower
        switch bits(first, 4, 3) {
        case 0 where kind == 0: return multiply(adds ? .wordAdd : .word)
        case 0 where kind == 1: return multiply(.wordSubtract)
        case 1:
            let halves = Multiply.Halves(first: isSet(second, 5) ? .upper : .lower, second: secondHalf)
            return multiply(adds ? .halfwordsAdd(halves) : .halfwords(halves))
        case 2: return multiply(adds ? .dualAdd(pair(.sum, second)) : .dual(pair(.sum, second)))
        case 4: return multiply(adds ? .dualAdd(pair(.difference, second)) : .dual(pair(.difference, second)))
        case 3: return multiply(adds ? .wordByHalfwordAdd(secondHalf) : .wordByHalfword(secondHalf))
        case 5: return multiply(adds ? .highWordAdd(rounding) : .highWord(rounding))
        case 6: return multiply(.highWordSubtract(rounding))
        case 7 where kind == 0:
            return .absoluteDifferences(
                AbsoluteDifferences(
                    destination: register(second, 8), first: register(first, 0), second: register(second, 0),
                    addend: adds ? addend : nil))
        case _: return .undefined
        }
    }

    private static func pair(_ joining: Multiply.Pair.Joining, _ second: UInt32) -> Multiply.Pair {
        Multiply.Pair(joining: joining, order: isSet(second, 4) ? .crossed : .straight)
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
        case (4, 12), (4, 13): return multiply(.dualLongAdd(pair(.sum, second)))
        case (5, 12), (5, 13): return multiply(.dualLongAdd(pair(.difference, second)))
        case (6, 0): return multiply(.longUnsignedAdd)
        case (6, 6): return multiply(.longUnsignedAddBoth)
        case _: return .undefined
        }
    }
}
