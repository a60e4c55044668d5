extension CortexM4 {
    mutating func execute(_ field: BitField) {
        let (lowest, width) = (UInt32(field.lowest), UInt32(field.width))
        let mask: UInt32 = width < 32 ? 1 &<< width &- 1 : .max
        let source = registers[field.source]
        switch field.operation {
        case .insert:
            registers[field.destination] =
                registers[field.destination] & ~(mask &<< lowest) | (source & mask) &<< lowest
        case .clear: registers[field.destination] &= ~(mask &<< lowest)
        case .extractUnsigned: registers[field.destination] = source &>> lowest & mask
        case .extractSigned:
            let top = 32 &- width
            let moved = Int32(bitPattern: (source &>> lowest) &<< top)
            registers[field.destination] = UInt32(bitPattern: moved &>> Int32(top))
        }
    }

    mutating func execute(_ field: Extension) {
        let source = registers[field.source]
        let turn = UInt32(field.rotation)
        let rotated = source &>> turn | source &<< (32 &- turn & 31)
        let addend = field.addend.map { registers[$0] } ?? 0
        let value: UInt32
        switch (field.part, field.signedness) {
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
        registers[field.destination] = value
    }

    mutating func execute(_ operation: BitOperation, _ destination: Register, _ source: Register) {
        let value = registers[source]
        switch operation {
        case .countLeadingZeros: registers[destination] = UInt32(value.leadingZeroBitCount)
        case .reverseBits:
            var (rest, result) = (value, UInt32(0))
            for _ in 0..<32 {
                result = result &<< 1 | rest & 1
                rest &>>= 1
            }
            registers[destination] = result
        case .reverseBytes: registers[destination] = value.byteSwapped
        case .reverseBytesOfHalfwords:
            registers[destination] = (value & 0x00FF_00FF) &<< 8 | (value & 0xFF00_FF00) &>> 8
        case .reverseSignedHalfword:
            let swapped = Int16(truncatingIfNeeded: value).byteSwapped
            registers[destination] = UInt32(bitPattern: Int32(swapped))
        }
    }

    mutating func execute(_ saturation: Saturation) {
        let source = registers[saturation.source]
        switch saturation.lanes {
        case .word(let shift):
            let shifted = Shifted(source, shift.kind, by: UInt32(shift.amount), carry: 0).result
            registers[saturation.destination] = saturate(saturation, Int32(bitPattern: shifted))
        case .halfwords:
            let lower = saturate(saturation, Half.lower.value(source)) & 0xFFFF
            let upper = saturate(saturation, Half.upper.value(source)) &<< 16
            registers[saturation.destination] = lower | upper
        }
    }

    private mutating func saturate(_ saturation: Saturation, _ value: Int32) -> UInt32 {
        let width = Int64(saturation.width)
        let range =
            saturation.signedness == .signed
            ? -(1 &<< (width &- 1))...(1 &<< (width &- 1) &- 1) as ClosedRange<Int64> : 0...(1 &<< width &- 1)
        let result = Int64(value).clamped(to: range)
        if result != Int64(value) { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func execute(_ addition: SaturatingAddition) {
        let first = Int64(Int32(bitPattern: registers[addition.first]))
        let second = Int64(Int32(bitPattern: registers[addition.second]))
        switch addition.operation {
        case .add: registers[addition.destination] = saturate(first &+ second)
        case .subtract: registers[addition.destination] = saturate(first &- second)
        case .doubleAdd: registers[addition.destination] = saturate(first &+ doubled(second))
        case .doubleSubtract: registers[addition.destination] = saturate(first &- doubled(second))
        }
    }

    private mutating func doubled(_ value: Int64) -> Int64 {
        Int64(Int32(bitPattern: saturate(value &* 2)))
    }

    private mutating func saturate(_ value: Int64) -> UInt32 {
        let result = value.clamped(to: Int64(Int32.min)...Int64(Int32.max))
        if result != value { flags.saturate() }
        return UInt32(truncatingIfNeeded: result)
    }

    mutating func execute(_ pack: HalfwordPack) {
        let first = registers[pack.first]
        let second = Shifted(
            registers[pack.second], pack.shift.kind, by: UInt32(pack.shift.amount), carry: flags.carry
        ).result
        switch pack.kept {
        case .lower: registers[pack.destination] = first & 0xFFFF | second & 0xFFFF_0000
        case .upper: registers[pack.destination] = first & 0xFFFF_0000 | second & 0xFFFF
        }
    }

    mutating func execute(_ differences: AbsoluteDifferences) {
        let (first, second) = (registers[differences.first], registers[differences.second])
        var sum = differences.addend.map { registers[$0] } ?? 0
        for shift in stride(from: 0, through: 24, by: 8) as StrideThrough<UInt32> {
            let (left, right) = (first &>> shift & 0xFF, second &>> shift & 0xFF)
            sum &+= left > right ? left &- right : right &- left
        }
        registers[differences.destination] = sum
    }
}

extension Int64 {
    /// This number, or the end of the range that is next to it.
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension CortexM4 {
    mutating func execute(_ multiply: Multiply) {
        let (first, second) = (registers[multiply.first], registers[multiply.second])
        let addend = registers[multiply.addend]
        let product = Int64(Int32(bitPattern: first)) &* Int64(Int32(bitPattern: second))
        let unsigned = UInt64(first) &* UInt64(second)
        let sum = UInt64(registers[multiply.destination]) &<< 32 | UInt64(addend)
        switch multiply.operation {
        case .word: finish(multiply, first &* second)
        case .wordAdd: finish(multiply, addend &+ first &* second)
        case .wordSubtract: finish(multiply, addend &- first &* second)
        case .longSigned: finish(multiply, UInt64(bitPattern: product))
        case .longUnsigned: finish(multiply, unsigned)
        case .longSignedAdd: finish(multiply, sum &+ UInt64(bitPattern: product))
        case .longUnsignedAdd: finish(multiply, sum &+ unsigned)
        case .longUnsignedAddBoth:
            finish(multiply, unsigned &+ UInt64(registers[multiply.destination]) &+ UInt64(addend))
        case .halfwords(let halves): finish(multiply, UInt32(bitPattern: halves.product(first, second)))
        case .halfwordsAdd(let halves): finish(multiply, adding: Int64(halves.product(first, second)), addend)
        case .halfwordsLongAdd(let halves):
            finish(multiply, sum &+ UInt64(bitPattern: Int64(halves.product(first, second))))
        case .wordByHalfword(let half): finish(multiply, half.wide(first, second))
        case .wordByHalfwordAdd(let half):
            finish(multiply, adding: Int64(Int32(bitPattern: half.wide(first, second))), addend)
        case .dual(let pair): finish(multiply, adding: pair.product(first, second), 0)
        case .dualAdd(let pair): finish(multiply, adding: pair.product(first, second), addend)
        case .dualLongAdd(let pair):
            finish(multiply, sum &+ UInt64(bitPattern: pair.product(first, second)))
        case .highWord(let isRounded): finish(multiply, high(product, isRounded))
        case .highWordAdd(let isRounded): finish(multiply, high(Int64(addend) &<< 32 &+ product, isRounded))
        case .highWordSubtract(let isRounded):
            finish(multiply, high(Int64(addend) &<< 32 &- product, isRounded))
        }
    }

    private mutating func finish(_ multiply: Multiply, _ result: UInt32) {
        registers[multiply.destination] = result
        if changesFlags(multiply.flags) { flags.set(result) }
    }

    private mutating func finish(_ multiply: Multiply, _ result: UInt64) {
        registers[multiply.addend] = UInt32(truncatingIfNeeded: result)
        registers[multiply.destination] = UInt32(truncatingIfNeeded: result &>> 32)
    }

    /// A sum of 32 bits, which sets Q if it overflows.
    private mutating func finish(_ multiply: Multiply, adding product: Int64, _ addend: UInt32) {
        let sum = product &+ Int64(Int32(bitPattern: addend))
        if Int64(Int32(truncatingIfNeeded: sum)) != sum { flags.saturate() }
        registers[multiply.destination] = UInt32(truncatingIfNeeded: sum)
    }

    private func high(_ product: Int64, _ isRounded: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: (product &+ (isRounded ? 0x8000_0000 : 0)) &>> 32)
    }

    /// The quotient rounded towards zero; by zero it is 0, unless CCR says that this is a fault (B3.2.8).
    mutating func execute(_ division: Division) {
        let (dividend, divisor) = (registers[division.dividend], registers[division.divisor])
        guard divisor != 0 else {
            quotientBits = 0
            return registers[division.destination] = 0
        }
        switch division.signedness {
        case .unsigned:
            let quotient = dividend / divisor
            quotientBits = UInt64(32 - quotient.leadingZeroBitCount)
            registers[division.destination] = quotient
        case .signed:
            let (left, right) = (Int32(bitPattern: dividend), Int32(bitPattern: divisor))
            let quotient = left.dividedReportingOverflow(by: right).partialValue
            quotientBits = UInt64(32 - quotient.magnitude.leadingZeroBitCount)
            registers[division.destination] = UInt32(bitPattern: quotient)
        }
    }
}

extension Half {
    /// This half of a word, with its sign.
    func value(_ word: UInt32) -> Int32 {
        switch self {
        case .lower: Int32(Int16(truncatingIfNeeded: word))
        case .upper: Int32(Int16(truncatingIfNeeded: word &>> 16))
        }
    }

    /// The upper 32 bits of the 48 of a word times this half of another.
    fileprivate func wide(_ word: UInt32, _ other: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (Int64(Int32(bitPattern: word)) &* Int64(value(other))) &>> 16)
    }
}

extension Multiply.Pair {
    fileprivate func product(_ first: UInt32, _ second: UInt32) -> Int64 {
        let second = isCrossed ? second &>> 16 | second &<< 16 : second
        let lower = Int64(Half.lower.value(first)) &* Int64(Half.lower.value(second))
        let upper = Int64(Half.upper.value(first)) &* Int64(Half.upper.value(second))
        return isDifference ? lower &- upper : lower &+ upper
    }
}

extension Multiply.Halves {
    fileprivate func product(_ left: UInt32, _ right: UInt32) -> Int32 {
        first.value(left) &* second.value(right)
    }
}

extension CortexM4 {
    mutating func execute(_ parallel: ParallelArithmetic) {
        let (first, second) = (registers[parallel.first], registers[parallel.second])
        switch parallel.operation {
        case .add8, .subtract8: bytes(parallel, first, second)
        case .add16, .subtract16, .addSubtractExchange, .subtractAddExchange: halfwords(parallel, first, second)
        }
    }

    private mutating func bytes(_ parallel: ParallelArithmetic, _ first: UInt32, _ second: UInt32) {
        let isSum = parallel.operation == .add8
        var (word, flags) = (UInt32(0), UInt32(0))
        for lane in 0..<4 as Range<UInt32> {
            let left = parallel.extended(UInt8(truncatingIfNeeded: first &>> (lane &* 8)))
            let right = parallel.extended(UInt8(truncatingIfNeeded: second &>> (lane &* 8)))
            let result = isSum ? left &+ right : left &- right
            word |= (parallel.fitted(result, bits: 8) & 0xFF) &<< (lane &* 8)
            if parallel.reaches(result, bits: 8, isSum: isSum) { flags |= 1 &<< lane }
        }
        finish(parallel, word, flags)
    }

    private mutating func halfwords(_ parallel: ParallelArithmetic, _ first: UInt32, _ second: UInt32) {
        let (lowerIsSum, upperIsSum, isCrossed): (Bool, Bool, Bool) =
            switch parallel.operation {
            case .add16, .add8: (true, true, false)
            case .subtract16, .subtract8: (false, false, false)
            case .addSubtractExchange: (false, true, true)
            case .subtractAddExchange: (true, false, true)
            }
        let second = isCrossed ? second &>> 16 | second &<< 16 : second
        let left = (parallel.extended(UInt16(truncatingIfNeeded: first)), parallel.extended(UInt16(first &>> 16)))
        let right = (parallel.extended(UInt16(truncatingIfNeeded: second)), parallel.extended(UInt16(second &>> 16)))
        let lower = lowerIsSum ? left.0 &+ right.0 : left.0 &- right.0
        let upper = upperIsSum ? left.1 &+ right.1 : left.1 &- right.1
        let word =
            parallel.fitted(lower, bits: 16) & 0xFFFF | (parallel.fitted(upper, bits: 16) & 0xFFFF) &<< 16
        let flags: UInt32 =
            (parallel.reaches(lower, bits: 16, isSum: lowerIsSum) ? 3 : 0)
            | (parallel.reaches(upper, bits: 16, isSum: upperIsSum) ? 12 : 0)
        finish(parallel, word, flags)
    }

    private mutating func finish(_ parallel: ParallelArithmetic, _ word: UInt32, _ greaterOrEqual: UInt32) {
        registers[parallel.destination] = word
        if parallel.result == .wrapping { flags.greaterOrEqual = greaterOrEqual }
    }
}

extension ParallelArithmetic {
    /// All bits of each byte whose flag is set.
    static func bytes(_ flags: UInt32) -> UInt32 {
        var mask: UInt32 = 0
        for lane in 0..<4 as Range<UInt32> where flags &>> lane & 1 != 0 { mask |= 0xFF &<< (lane &* 8) }
        return mask
    }

    fileprivate func extended(_ byte: UInt8) -> Int32 {
        signedness == .signed ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    }

    fileprivate func extended(_ halfword: UInt16) -> Int32 {
        signedness == .signed ? Int32(Int16(bitPattern: halfword)) : Int32(halfword)
    }

    /// The result of a lane; the bits above the lane do not count.
    fileprivate func fitted(_ value: Int32, bits: Int32) -> UInt32 {
        switch result {
        case .wrapping: return UInt32(bitPattern: value)
        case .halving: return UInt32(bitPattern: value &>> 1)
        case .saturating:
            let lowest: Int32 = signedness == .signed ? -(1 &<< (bits &- 1)) : 0
            let highest: Int32 = signedness == .signed ? 1 &<< (bits &- 1) &- 1 : 1 &<< bits &- 1
            return UInt32(bitPattern: min(max(value, lowest), highest))
        }
    }

    /// Whether a lane sets its GE flag: at 0 and above; a sum of unsigned numbers at a carry.
    fileprivate func reaches(_ value: Int32, bits: Int32, isSum: Bool) -> Bool {
        signedness == .unsigned && isSum ? value >= 1 &<< bits : value >= 0
    }
}
