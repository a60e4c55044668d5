extension CortexM4 {
    mutating func execute(_ operation: BitField, _ instruction: EntryReference) {
        let (lowest, last) = (UInt32(instruction.shift.amount), instruction.constant)
        let width = operation == .insert || operation == .clear ? last &- lowest &+ 1 : last &+ 1
        let mask: UInt32 = width < 32 ? 1 &<< width &- 1 : .max
        let (source, present) = (registers[instruction.first], registers[instruction.destination])
        switch operation {
        case .insert: registers[instruction.destination] = present & ~(mask &<< lowest) | (source & mask) &<< lowest
        case .clear: registers[instruction.destination] = present & ~(mask &<< lowest)
        case .extractUnsigned: registers[instruction.destination] = source &>> lowest & mask
        case .extractSigned:
            let top = 32 &- width
            let moved = Int32(bitPattern: (source &>> lowest) &<< top)
            registers[instruction.destination] = UInt32(bitPattern: moved &>> Int32(top))
        }
    }

    mutating func extend(_ part: ExtendedPart, _ signedness: Signedness, _ instruction: EntryReference) {
        let source = registers[instruction.second]
        let turn = UInt32(instruction.shift.amount) &* 8
        let rotated = source &>> turn | source &<< (32 &- turn & 31)
        let addend = instruction.first == 15 ? 0 : registers[instruction.first]
        let value: UInt32
        switch (part, signedness) {
        case (.byte, .signed): value = addend &+ UInt32(bitPattern: Int32(Int8(truncatingIfNeeded: rotated)))
        case (.byte, .unsigned): value = addend &+ rotated & 0xFF
        case (.halfword, .signed): value = addend &+ UInt32(bitPattern: Half.lower.value(rotated))
        case (.halfword, .unsigned): value = addend &+ rotated & 0xFFFF
        case (.bytePair, let signedness):
            let (lower, upper) = (UInt8(truncatingIfNeeded: rotated), UInt8(truncatingIfNeeded: rotated &>> 16))
            let extend: (UInt8) -> UInt32 = {
                signedness == .signed ? UInt32(bitPattern: Int32(Int8(bitPattern: $0))) : UInt32($0)
            }
            value = (addend &+ extend(lower)) & 0xFFFF | (addend &>> 16 &+ extend(upper)) &<< 16
        }
        registers[instruction.destination] = value
    }

    mutating func execute(_ operation: BitOperation, _ instruction: EntryReference) {
        let value = registers[instruction.second]
        let result: UInt32
        switch operation {
        case .countLeadingZeros: result = UInt32(value.leadingZeroBitCount)
        case .reverseBits: result = (0..<32).reduce(0) { $0 &<< 1 | value &>> $1 & 1 }
        case .reverseBytes: result = value.byteSwapped
        case .reverseBytesOfHalfwords: result = (value & 0x00FF_00FF) &<< 8 | (value & 0xFF00_FF00) &>> 8
        case .reverseSignedHalfword: result = UInt32(bitPattern: Int32(Int16(truncatingIfNeeded: value).byteSwapped))
        }
        registers[instruction.destination] = result
    }

    mutating func saturate(_ signedness: Signedness, _ instruction: EntryReference) {
        let shift = instruction.shift
        let shifted = Shifted(registers[instruction.first], shift.kind, by: UInt32(shift.amount), carry: 0).result
        registers[instruction.destination] = fitted(Int32(bitPattern: shifted), signedness, instruction)
    }

    mutating func saturateHalfwords(_ signedness: Signedness, _ instruction: EntryReference) {
        let source = registers[instruction.first]
        let lower = fitted(Half.lower.value(source), signedness, instruction) & 0xFFFF
        let upper = fitted(Half.upper.value(source), signedness, instruction) &<< 16
        registers[instruction.destination] = lower | upper
    }

    /// Saturates a number, and sets the Q flag if this changes the number. The instruction's constant is the width of the
    /// result in bits, without the sign bit.
    private mutating func fitted(_ value: Int32, _ signedness: Signedness, _ instruction: EntryReference) -> UInt32 {
        let end = Int64(1) &<< Int64(instruction.constant)
        let result = Int64(value).clamped(to: (signedness == .signed ? -end : 0)...(end &- 1))
        if result != Int64(value) { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func execute(_ addition: SaturatingAddition, _ instruction: EntryReference) {
        let first = Int64(Int32(bitPattern: registers[instruction.first]))
        let second = Int64(Int32(bitPattern: registers[instruction.second]))
        let result: UInt32
        switch addition {
        case .add: result = saturate(second &+ first)
        case .subtract: result = saturate(second &- first)
        case .doubleAdd: result = saturate(second &+ doubled(first))
        case .doubleSubtract: result = saturate(second &- doubled(first))
        }
        registers[instruction.destination] = result
    }

    private mutating func doubled(_ value: Int64) -> Int64 {
        Int64(Int32(bitPattern: saturate(value &* 2)))
    }

    private mutating func saturate(_ value: Int64) -> UInt32 {
        let result = value.clamped(to: Int64(Int32.min)...Int64(Int32.max))
        if result != value { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func pack(_ kept: Half, _ instruction: EntryReference) {
        let (first, second) = (registers[instruction.first], shifted(instruction).result)
        switch kept {
        case .lower: registers[instruction.destination] = first & 0xFFFF | second & 0xFFFF_0000
        case .upper: registers[instruction.destination] = first & 0xFFFF_0000 | second & 0xFFFF
        }
    }

    mutating func addAbsoluteDifferences(_ instruction: EntryReference) {
        let (first, second) = (registers[instruction.first], registers[instruction.second])
        var sum = instruction.third == 15 ? 0 : registers[instruction.third]
        for shift in stride(from: 0, through: 24, by: 8) as StrideThrough<UInt32> {
            let (left, right) = (first &>> shift & 0xFF, second &>> shift & 0xFF)
            sum &+= left > right ? left &- right : right &- left
        }
        registers[instruction.destination] = sum
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension CortexM4 {
    mutating func execute(_ multiply: Multiply, _ instruction: EntryReference) {
        let (first, second) = (registers[instruction.first], registers[instruction.second])
        let (addend, upper) = (registers[instruction.third], registers[instruction.destination])
        let product = Int64(Int32(bitPattern: first)) &* Int64(Int32(bitPattern: second))
        let unsigned = UInt64(first) &* UInt64(second)
        let sum = UInt64(upper) &<< 32 | UInt64(addend)
        let variant = instruction.variant
        let (oneHalf, otherHalf): (Half, Half) = (
            variant & 2 == 0 ? .lower : .upper, variant & 1 == 0 ? .lower : .upper
        )
        let halves = Int64(oneHalf.value(first)) &* Int64(otherHalf.value(second))
        let wide = (Int64(Int32(bitPattern: first)) &* Int64(otherHalf.value(second))) &>> 16
        let turned = variant & 1 == 0 ? second : second &>> 16 | second &<< 16
        let low = Int64(Half.lower.value(first)) &* Int64(Half.lower.value(turned))
        let high = Int64(Half.upper.value(first)) &* Int64(Half.upper.value(turned))
        let rounding: Int64 = variant & 1 == 0 ? 0 : 0x8000_0000
        switch multiply {
        case .word: finish(instruction, first &* second)
        case .wordAdd: finish(instruction, addend &+ first &* second)
        case .wordSubtract: finish(instruction, addend &- first &* second)
        case .longSigned: finish(instruction, UInt64(bitPattern: product))
        case .longUnsigned: finish(instruction, unsigned)
        case .longSignedAdd: finish(instruction, sum &+ UInt64(bitPattern: product))
        case .longUnsignedAdd: finish(instruction, sum &+ unsigned)
        case .longUnsignedAddBoth: finish(instruction, unsigned &+ UInt64(upper) &+ UInt64(addend))
        case .halfwords: finish(instruction, UInt32(truncatingIfNeeded: halves))
        case .halfwordsAdd: finish(instruction, adding: halves, addend)
        case .halfwordsLongAdd: finish(instruction, sum &+ UInt64(bitPattern: halves))
        case .wordByHalfword: finish(instruction, UInt32(truncatingIfNeeded: wide))
        case .wordByHalfwordAdd: finish(instruction, adding: Int64(Int32(truncatingIfNeeded: wide)), addend)
        case .dual: finish(instruction, adding: low &+ high, 0)
        case .dualDifference: finish(instruction, adding: low &- high, 0)
        case .dualAdd: finish(instruction, adding: low &+ high, addend)
        case .dualDifferenceAdd: finish(instruction, adding: low &- high, addend)
        case .dualLongAdd: finish(instruction, sum &+ UInt64(bitPattern: low &+ high))
        case .dualDifferenceLongAdd: finish(instruction, sum &+ UInt64(bitPattern: low &- high))
        case .highWord: finish(instruction, upperWord(product &+ rounding))
        case .highWordAdd: finish(instruction, upperWord(Int64(addend) &<< 32 &+ product &+ rounding))
        case .highWordSubtract: finish(instruction, upperWord(Int64(addend) &<< 32 &- product &+ rounding))
        }
    }

    private mutating func finish(_ instruction: EntryReference, _ result: UInt32) {
        registers[instruction.destination] = result
        if changesFlags(instruction.flags) { flags.set(result) }
    }

    private mutating func finish(_ instruction: EntryReference, _ result: UInt64) {
        registers[instruction.third] = UInt32(truncatingIfNeeded: result)
        registers[instruction.destination] = UInt32(truncatingIfNeeded: result &>> 32)
    }

    private mutating func finish(_ instruction: EntryReference, adding product: Int64, _ addend: UInt32) {
        let sum = product &+ Int64(Int32(bitPattern: addend))
        if Int64(Int32(truncatingIfNeeded: sum)) != sum { flags.saturate() }
        registers[instruction.destination] = UInt32(truncatingIfNeeded: sum)
    }

    private func upperWord(_ number: Int64) -> UInt32 { UInt32(truncatingIfNeeded: number &>> 32) }

    /// Divides, and rounds the quotient towards zero. A division by zero gives 0, or throws `divisionByZero` if CCR makes it a
    /// fault (B3.2.8).
    mutating func divide(_ signedness: Signedness, _ instruction: EntryReference) throws(Trap) {
        let (dividend, divisor) = (registers[instruction.first], registers[instruction.second])
        guard divisor != 0 || !faults.trapsDivisionByZero else { throw .divisionByZero }
        let (left, right) = (Int32(bitPattern: dividend), Int32(bitPattern: divisor))
        switch signedness {
        case .unsigned:
            division = (dividend, divisor)
            registers[instruction.destination] = divisor == 0 ? 0 : dividend / divisor
        case .signed:
            division = (left.magnitude, right.magnitude)
            let quotient = right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue
            registers[instruction.destination] = UInt32(bitPattern: quotient)
        }
    }
}

extension Half {
    func value(_ word: UInt32) -> Int32 {
        switch self {
        case .lower: Int32(Int16(truncatingIfNeeded: word))
        case .upper: Int32(Int16(truncatingIfNeeded: word &>> 16))
        }
    }
}

extension CortexM4 {
    mutating func execute(_ operation: ParallelArithmetic, _ lanes: Lanes, _ instruction: EntryReference) {
        let (first, second) = (registers[instruction.first], registers[instruction.second])
        let crossed = second &>> 16 | second &<< 16
        let (word, greaterOrEqual): (UInt32, UInt32) =
            switch operation {
            case .add8: lanes.bytes(first, second, isSum: true)
            case .subtract8: lanes.bytes(first, second, isSum: false)
            case .add16: lanes.halfwords(first, second, lowerIsSum: true, upperIsSum: true)
            case .subtract16: lanes.halfwords(first, second, lowerIsSum: false, upperIsSum: false)
            case .addSubtractExchange: lanes.halfwords(first, crossed, lowerIsSum: false, upperIsSum: true)
            case .subtractAddExchange: lanes.halfwords(first, crossed, lowerIsSum: true, upperIsSum: false)
            }
        registers[instruction.destination] = word
        if lanes.result == .wrapping { flags.greaterOrEqual = greaterOrEqual }
    }
}

struct Lanes {
    let result: LaneResult
    let signedness: Signedness

    /// Returns a word in which byte n is 0xFF if bit n of `flags` is set, otherwise 0.
    static func bytes(_ flags: UInt32) -> UInt32 {
        var mask: UInt32 = 0
        for lane in 0..<4 as Range<UInt32> where flags &>> lane & 1 != 0 { mask |= 0xFF &<< (lane &* 8) }
        return mask
    }

    /// Adds or subtracts each of the four bytes. Returns the resulting word, and four GE flags: bit n is the flag of byte n.
    func bytes(_ first: UInt32, _ second: UInt32, isSum: Bool) -> (UInt32, UInt32) {
        var (word, flags) = (UInt32(0), UInt32(0))
        for lane in 0..<4 as Range<UInt32> {
            let result = combined(first &>> (lane &* 8), second &>> (lane &* 8), bits: 8, isSum: isSum)
            word |= result.lane &<< (lane &* 8)
            if result.isReached { flags |= 1 &<< lane }
        }
        return (word, flags)
    }

    func halfwords(_ first: UInt32, _ second: UInt32, lowerIsSum: Bool, upperIsSum: Bool) -> (UInt32, UInt32) {
        let lower = combined(first, second, bits: 16, isSum: lowerIsSum)
        let upper = combined(first &>> 16, second &>> 16, bits: 16, isSum: upperIsSum)
        return (lower.lane | upper.lane &<< 16, (lower.isReached ? 3 : 0) | (upper.isReached ? 12 : 0))
    }

    /// Adds or subtracts the lowest `bits` bits of two words. `isReached` is the lane's GE flag: for an unsigned sum, whether
    /// there is a carry; otherwise whether the exact result is 0 or more.
    private func combined(_ first: UInt32, _ second: UInt32, bits: Int32, isSum: Bool) -> (
        lane: UInt32, isReached: Bool
    ) {
        let (left, right) = (number(first, bits: bits), number(second, bits: bits))
        let value = isSum ? left &+ right : left &- right
        let isReached = signedness == .unsigned && isSum ? value >= 1 &<< bits : value >= 0
        return (fitted(value, bits: bits) & (1 &<< UInt32(bits) &- 1), isReached)
    }

    private func number(_ word: UInt32, bits: Int32) -> Int32 {
        let top = 32 &- bits
        let moved = word &<< UInt32(top)
        return signedness == .signed ? Int32(bitPattern: moved) &>> top : Int32(bitPattern: moved &>> UInt32(top))
    }

    /// Saturates, halves or wraps the value of one lane, as `result` says. Only the lowest `bits` bits of the returned word are
    /// valid.
    private func fitted(_ value: Int32, bits: Int32) -> UInt32 {
        switch result {
        case .wrapping: return UInt32(bitPattern: value)
        case .halving: return UInt32(bitPattern: value &>> 1)
        case .saturating:
            let lowest: Int32 = signedness == .signed ? -(1 &<< (bits &- 1)) : 0
            let highest: Int32 = signedness == .signed ? 1 &<< (bits &- 1) &- 1 : 1 &<< bits &- 1
            return UInt32(bitPattern: min(max(value, lowest), highest))
        }
    }
}
