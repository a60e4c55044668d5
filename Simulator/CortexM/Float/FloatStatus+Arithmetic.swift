/// The arithmetic of single-precision numbers, as their bits (A2.5.4).
extension FloatStatus {
    mutating func add(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        if let nan = nan((first, left), (second, right)) { return nan }
        switch (left.kind, right.kind) {
        case (.infinity, .infinity): return left.sign == right.sign ? left.sign | FloatParts.infinity : invalid()
        case (.infinity, _): return left.sign | FloatParts.infinity
        case (_, .infinity): return right.sign | FloatParts.infinity
        case (.zero, .zero): return left.sign == right.sign ? left.sign : zeroOfDifference
        case (.finite(let significand, let exponent), .zero): return round(left.sign, significand, exponent: exponent)
        case (.zero, .finite(let significand, let exponent)): return round(right.sign, significand, exponent: exponent)
        case (.finite(let one, let high), .finite(let other, let low)):
            return sum(left.sign, one, high, right.sign, other, low)
        case (.quietNaN, _), (.signalingNaN, _), (_, .quietNaN), (_, .signalingNaN): return FloatParts.defaultNaN
        }
    }

    mutating func multiply(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        if let nan = nan((first, left), (second, right)) { return nan }
        let sign = left.sign ^ right.sign
        switch (left.kind, right.kind) {
        case (.infinity, .zero), (.zero, .infinity): return invalid()
        case (.infinity, _), (_, .infinity): return sign | FloatParts.infinity
        case (.zero, _), (_, .zero): return sign
        case (.finite(let one, let high), .finite(let other, let low)):
            return round(sign, one &* other, exponent: high + low)
        case (.quietNaN, _), (.signalingNaN, _), (_, .quietNaN), (_, .signalingNaN): return FloatParts.defaultNaN
        }
    }

    /// A product and a sum, rounded once (FPMulAdd).
    mutating func multiplyAdd(_ addend: UInt32, _ first: UInt32, _ second: UInt32) -> UInt32 {
        let third = FloatParts(addend, &self)
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        let sign = left.sign ^ right.sign
        let isInvalid =
            left.kind == .infinity && right.kind == .zero || left.kind == .zero && right.kind == .infinity
        let result = nan((addend, third), (first, left), (second, right))
        if third.kind == .quietNaN, isInvalid { return invalid() }
        if let result { return result }
        if isInvalid { return invalid() }
        let isInfinite = left.kind == .infinity || right.kind == .infinity
        switch (third.kind, isInfinite) {
        case (.infinity, true): return third.sign == sign ? sign | FloatParts.infinity : invalid()
        case (.infinity, false): return third.sign | FloatParts.infinity
        case (_, true): return sign | FloatParts.infinity
        case (_, false): break
        }
        let product = left.finite.flatMap { one in
            right.finite.map { (significand: one.significand &* $0.significand, exponent: one.exponent + $0.exponent) }
        }
        switch (product, third.finite) {
        case (let product?, let addend?):
            return sum(
                sign, product.significand, product.exponent, third.sign, addend.significand, addend.exponent)
        case (let product?, nil): return round(sign, product.significand, exponent: product.exponent)
        case (nil, let addend?): return round(third.sign, addend.significand, exponent: addend.exponent)
        case (nil, nil): return third.sign == sign ? sign : zeroOfDifference
        }
    }

    /// The sum of two numbers of up to 48 bits that are not 0.
    private mutating func sum(
        _ firstSign: UInt32, _ first: UInt64, _ firstExponent: Int, _ secondSign: UInt32, _ second: UInt64,
        _ secondExponent: Int
    ) -> UInt32 {
        // The one with the higher top bit comes first, as far up as there is room for a carry.
        let firstTop = firstExponent - first.leadingZeroBitCount
        let secondTop = secondExponent - second.leadingZeroBitCount
        if firstTop < secondTop {
            return sum(secondSign, second, secondExponent, firstSign, first, firstExponent)
        }
        let up = first.leadingZeroBitCount - 3
        let (high, exponent) = (first &<< UInt64(up), firstExponent - up)
        let low = aligned(second, secondExponent - exponent)
        if firstSign == secondSign { return round(firstSign, halved(high &+ low), exponent: exponent + 1) }
        if high == low { return zeroOfDifference }
        return high > low
            ? round(firstSign, high &- low, exponent: exponent) : round(secondSign, low &- high, exponent: exponent)
    }

    /// Shifts a number left by `shift` bits, or right where that is negative. Where a shift right cuts off a bit that is set,
    /// it sets the lowest bit of the result.
    private func aligned(_ number: UInt64, _ shift: Int) -> UInt64 {
        if shift >= 0 { return number &<< UInt64(shift) }
        guard shift > -64 else { return 1 }
        let kept = number &>> UInt64(-shift)
        return kept &<< UInt64(-shift) == number ? kept : kept | 1
    }

    private func halved(_ number: UInt64) -> UInt64 { number &>> 1 | number & 1 }

    mutating func divide(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        if let nan = nan((first, left), (second, right)) { return nan }
        let sign = left.sign ^ right.sign
        switch (left.kind, right.kind) {
        case (.infinity, .infinity), (.zero, .zero): return invalid()
        case (.infinity, _): return sign | FloatParts.infinity
        case (_, .zero):
            raise(.divisionByZero)
            return sign | FloatParts.infinity
        case (.zero, _), (_, .infinity): return sign
        case (.finite(let one, let high), .finite(let other, let low)):
            // At least 26 bits of quotient, whatever the two are.
            let up = one.leadingZeroBitCount - 1
            let (quotient, rest) = (one &<< UInt64(up)).quotientAndRemainder(dividingBy: other)
            let exponent = high - up - low
            let sticky: UInt64 = rest == 0 ? 0 : 1
            return quotient < 1 &<< 61
                ? round(sign, quotient &<< 1 | sticky, exponent: exponent - 1)
                : round(sign, halved(quotient) | sticky, exponent: exponent + 1)
        case (.quietNaN, _), (.signalingNaN, _), (_, .quietNaN), (_, .signalingNaN): return FloatParts.defaultNaN
        }
    }

    mutating func squareRoot(_ number: UInt32) -> UInt32 {
        let parts = FloatParts(number, &self)
        if let nan = nan((number, parts)) { return nan }
        switch parts.kind {
        case .zero: return parts.sign
        case _ where parts.sign != 0: return invalid()
        case .infinity: return FloatParts.infinity
        case .finite(let significand, let exponent):
            // An even exponent, and 56 or 57 bits: a root of 28 or 29.
            var up = significand.leadingZeroBitCount - 8
            if (exponent - up) % 2 != 0 { up += 1 }
            let scaled = significand &<< UInt64(up)
            var root: UInt64 = 0
            for bit in stride(from: 31, through: 0, by: -1) as StrideThrough<Int> {
                let more = root | 1 &<< UInt64(bit)
                if more &* more <= scaled { root = more }
            }
            let sticky: UInt64 = root &* root == scaled ? 0 : 1
            return round(0, root &<< 1 | sticky, exponent: (exponent - up) / 2 - 1)
        case .quietNaN, .signalingNaN: return FloatParts.defaultNaN
        }
    }

    /// A NaN stays as it is, with its sign.
    mutating func subtract(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let isNaN = second & ~FloatParts.sign > FloatParts.infinity
        return add(first, isNaN ? second : second ^ FloatParts.sign)
    }

    mutating func compare(_ first: UInt32, _ second: UInt32, _ quietness: FloatInstruction.Quietness) {
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        if left.isNaN || right.isNaN {
            let signals = left.kind == .signalingNaN || right.kind == .signalingNaN
            if quietness == .signaling || signals { raise(.invalid) }
            return set(.unordered)
        }
        // As numbers with a sign: zeros of either sign are 0, and so are those that were flushed.
        func ordered(_ bits: UInt32, _ parts: FloatParts) -> Int64 {
            if parts.kind == .zero { return 0 }
            return parts.sign == 0 ? Int64(bits) : -Int64(bits & ~FloatParts.sign)
        }
        let (one, other) = (ordered(first, left), ordered(second, right))
        if one == other { return set(.equal) }
        set(one < other ? .less : .greater)
    }
}
