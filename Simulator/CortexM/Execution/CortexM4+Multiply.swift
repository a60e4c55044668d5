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
        case .dual(let pair):
            finish(multiply, adding: pair.product(first, second), 0)
        case .dualAdd(let pair):
            finish(multiply, adding: pair.product(first, second), addend)
        case .dualLongAdd(let pair):
            finish(multiply, sum &+ UInt64(bitPattern: pair.product(first, second)))
        case .highWord(let rounding): finish(multiply, high(product, rounding))
        case .highWordAdd(let rounding): finish(multiply, high(Int64(addend) &<< 32 &+ product, rounding))
        case .highWordSubtract(let rounding): finish(multiply, high(Int64(addend) &<< 32 &- product, rounding))
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

    /// A sum of 32 bits, which sets Q where it has overflowed.
    private mutating func finish(_ multiply: Multiply, adding product: Int64, _ addend: UInt32) {
        let sum = product &+ Int64(Int32(bitPattern: addend))
        if Int64(Int32(truncatingIfNeeded: sum)) != sum { flags.saturate() }
        registers[multiply.destination] = UInt32(truncatingIfNeeded: sum)
    }

    private func high(_ product: Int64, _ rounding: Multiply.Rounding) -> UInt32 {
        UInt32(truncatingIfNeeded: (product &+ (rounding == .nearest ? 0x8000_0000 : 0)) &>> 32)
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
        let second = order == .crossed ? second &>> 16 | second &<< 16 : second
        let lower = Int64(Half.lower.value(first)) &* Int64(Half.lower.value(second))
        let upper = Int64(Half.upper.value(first)) &* Int64(Half.upper.value(second))
        return joining == .sum ? lower &+ upper : lower &- upper
    }
}

extension Multiply.Halves {
    fileprivate func product(_ left: UInt32, _ right: UInt32) -> Int32 {
        first.value(left) &* second.value(right)
    }
}
