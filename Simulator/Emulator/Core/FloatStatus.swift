/// FPSCR, the status and control register of the floating-point unit (A2.5.3).
struct FloatStatus: Equatable, Sendable {
    var word: UInt32 = 0

    static let writable: UInt32 = 0xF7C0_009F

    enum Rounding: UInt32, Sendable {
        case nearest, up, down, towardsZero
    }

    /// A floating-point exception. The raw value is the position of its cumulative flag in FPSCR.
    enum Exception: UInt32, Sendable {
        case invalid = 0
        case divisionByZero = 1
        case overflow = 2
        case underflow = 3
        case inexact = 4
        case subnormalInput = 7
    }

    /// The result of a comparison. Bits 3 to 0 of the raw value are the flags N, Z, C and V.
    enum Comparison: UInt32, Sendable {
        case less = 0b1000
        case equal = 0b0110
        case greater = 0b0010
        case unordered = 0b0011
    }

    var rounding: Rounding { Rounding(rawValue: word &>> 22 & 3) ?? .nearest }
    /// Whether the unit treats subnormal numbers as zero.
    var flushesToZero: Bool { word &>> 24 & 1 != 0 }
    /// Whether the unit replaces each resulting NaN with the default NaN.
    var usesDefaultNaN: Bool { word &>> 25 & 1 != 0 }
    /// Whether half-precision numbers have no infinities and no NaNs.
    var usesAlternativeHalf: Bool { word &>> 26 & 1 != 0 }

    mutating func raise(_ exception: Exception) { word |= 1 &<< exception.rawValue }

    mutating func set(_ comparison: Comparison) { word = word & 0x0FFF_FFFF | comparison.rawValue &<< 28 }
}

/// A single-precision number, split into its parts (A2.5.4, FPUnpack).
struct FloatParts: Equatable {
    enum Kind: Equatable {
        case zero, infinity
        case quietNaN, signalingNaN
        /// A number whose magnitude is `significand` × 2^`exponent`. The significand is not 0.
        case finite(significand: UInt64, exponent: Int)
    }

    static let defaultNaN: UInt32 = 0x7FC0_0000
    static let infinity: UInt32 = 0x7F80_0000
    static let sign: UInt32 = 0x8000_0000

    /// 0x8000_0000 if the number is negative, otherwise 0.
    var sign: UInt32
    var kind: Kind

    init(_ bits: UInt32, _ status: inout FloatStatus) {
        sign = bits & FloatParts.sign
        let (exponent, fraction) = (bits &>> 23 & 0xFF, bits & 0x007F_FFFF)
        switch (exponent, fraction) {
        case (0, 0): kind = .zero
        case (0, _):
            if status.flushesToZero {
                status.raise(.subnormalInput)
                kind = .zero
            } else {
                kind = .finite(significand: UInt64(fraction), exponent: -149)
            }
        case (255, 0): kind = .infinity
        case (255, _): kind = fraction & 0x0040_0000 != 0 ? .quietNaN : .signalingNaN
        case _: kind = .finite(significand: UInt64(fraction | 0x0080_0000), exponent: Int(exponent) - 150)
        }
    }

    /// Nil for a zero, an infinity or a NaN.
    var finite: (significand: UInt64, exponent: Int)? {
        switch kind {
        case .finite(let significand, let exponent): (significand, exponent)
        case .zero, .infinity, .quietNaN, .signalingNaN: nil
        }
    }

    var isNaN: Bool {
        switch kind {
        case .quietNaN, .signalingNaN: true
        case .zero, .infinity, .finite: false
        }
    }
}

extension FloatStatus {
    /// Rounds a nonzero number to single precision, and returns its bits (A2.5.4, FPRound). The magnitude of the number is
    /// `significand` × 2^`exponent`.
    ///
    /// - Parameters:
    ///   - sign: 0 or 0x8000_0000.
    ///   - significand: not 0, and below 2^62. If the caller cut off a bit that was 1, the significand's lowest bit must be 1.
    ///   - rounding: nil for the mode in FPSCR.
    mutating func round(
        _ sign: UInt32, _ significand: UInt64, exponent: Int, _ rounding: Rounding? = nil
    ) -> UInt32 {
        let highest = 63 - significand.leadingZeroBitCount
        let power = exponent + highest
        let isTiny = power < -126
        if isTiny, flushesToZero {
            raise(.underflow)
            return sign
        }
        // The power of two of the result's lowest bit.
        let lowest = isTiny ? -149 : power - 23
        let shift = lowest - exponent
        let (kept, isInexact) = roundedShift(sign, significand, shift, rounding ?? self.rounding)
        if isInexact {
            raise(.inexact)
            if isTiny { raise(.underflow) }
        }
        // A carry out of the fraction goes into the exponent.
        let biased = isTiny ? 0 : UInt64(power + 126) &<< 23
        let bits = biased &+ kept
        guard bits < UInt64(FloatParts.infinity) else { return overflow(sign, rounding ?? self.rounding) }
        return sign | UInt32(bits)
    }

    private mutating func overflow(_ sign: UInt32, _ rounding: Rounding) -> UInt32 {
        raise(.overflow)
        raise(.inexact)
        let largest = FloatParts.infinity - 1
        return switch rounding {
        case .nearest: sign | FloatParts.infinity
        case .up: sign == 0 ? FloatParts.infinity : sign | largest
        case .down: sign == 0 ? largest : sign | FloatParts.infinity
        case .towardsZero: sign | largest
        }
    }

    /// Shifts a nonzero magnitude right by `shift` bits, or left if `shift` is negative, and rounds it. The result is inexact if
    /// the shift cut off a set bit.
    func roundedShift(
        _ sign: UInt32, _ number: UInt64, _ shift: Int, _ rounding: Rounding
    ) -> (result: UInt64, isInexact: Bool) {
        guard shift > 0 else { return (number &<< UInt64(-shift), false) }
        // All bits are cut off. They are worth less than half of the result's lowest bit.
        guard shift < 63 else { return (roundsUp(sign, rounding) ? 1 : 0, true) }
        let kept = number &>> UInt64(shift)
        let rest = number & (1 &<< UInt64(shift) &- 1)
        guard rest != 0 else { return (kept, false) }
        let half: UInt64 = 1 &<< UInt64(shift - 1)
        let isUp =
            rounding == .nearest
            ? rest > half || rest == half && kept & 1 != 0 : roundsUp(sign, rounding)
        return (isUp ? kept &+ 1 : kept, true)
    }

    /// Returns whether to round up a magnitude whose cut-off bits are not all 0. In mode `nearest`, the result
    /// is right only if the cut-off bits are worth less than half of the lowest remaining bit.
    private func roundsUp(_ sign: UInt32, _ rounding: Rounding) -> Bool {
        switch rounding {
        case .nearest, .towardsZero: false
        case .up: sign == 0
        case .down: sign != 0
        }
    }

    /// Returns the NaN that results if an operand is a NaN, otherwise nil. The first signaling NaN determines the result. Without
    /// a signaling NaN, the first quiet NaN does (A2.5.4, FPProcessNaNs).
    mutating func nan(_ numbers: (bits: UInt32, parts: FloatParts)...) -> UInt32? {
        let signaling = numbers.first { $0.parts.kind == .signalingNaN }
        guard let first = signaling ?? numbers.first(where: { $0.parts.kind == .quietNaN }) else { return nil }
        if signaling != nil { raise(.invalid) }
        return usesDefaultNaN ? FloatParts.defaultNaN : first.bits | 0x0040_0000
    }

    mutating func invalid() -> UInt32 {
        raise(.invalid)
        return FloatParts.defaultNaN
    }

    /// The zero that results if two numbers with opposite signs add up to 0.
    var zeroOfDifference: UInt32 { rounding == .down ? FloatParts.sign : 0 }
}

/// Arithmetic on single-precision numbers, given as their bits (A2.5.4).
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

    /// Adds the product of `first` and `second` to `addend`, and rounds only the sum (FPMulAdd).
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

    /// Adds two nonzero numbers. Their significands, `first` and `second`, have at most 48 bits.
    private mutating func sum(
        _ firstSign: UInt32, _ first: UInt64, _ firstExponent: Int, _ secondSign: UInt32, _ second: UInt64,
        _ secondExponent: Int
    ) -> UInt32 {
        // Puts the number with the higher top bit first. Shifts it up until this bit is bit 60, so that a sum stays below 2^62.
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

    /// Shifts a number left by `shift` bits, or right if `shift` is negative. If a right shift cuts off a set bit, it sets the
    /// lowest bit of the result.
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
            // With this shift, the quotient has at least 26 bits.
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
            // Shifts the number to 56 or 57 bits, so that the exponent is even. The root then has 28 or 29 bits.
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

    /// Returns `first` minus `second`. A NaN in `second` keeps its sign.
    mutating func subtract(_ first: UInt32, _ second: UInt32) -> UInt32 {
        let isNaN = second & ~FloatParts.sign > FloatParts.infinity
        return add(first, isNaN ? second : second ^ FloatParts.sign)
    }

    mutating func compare(_ first: UInt32, _ second: UInt32, _ comparison: NaNComparison) {
        let (left, right) = (FloatParts(first, &self), FloatParts(second, &self))
        if left.isNaN || right.isNaN {
            let signals = left.kind == .signalingNaN || right.kind == .signalingNaN
            if comparison == .signaling || signals { raise(.invalid) }
            return set(.unordered)
        }
        // The number as an integer that sorts in the same order. Zeros of both signs and flushed numbers are 0.
        func ordered(_ bits: UInt32, _ parts: FloatParts) -> Int64 {
            if parts.kind == .zero { return 0 }
            return parts.sign == 0 ? Int64(bits) : -Int64(bits & ~FloatParts.sign)
        }
        let (one, other) = (ordered(first, left), ordered(second, right))
        if one == other { return set(.equal) }
        set(one < other ? .less : .greater)
    }
}

/// Conversions between single-precision numbers and integers, fixed-point numbers and half-precision numbers (A2.5.4).
extension FloatStatus {
    /// Converts a number to a fixed-point number that has `bits` bits in total and `fractionBits` bits after the binary point.
    /// A number out of range becomes the nearest limit, and a NaN becomes 0.
    mutating func fixed(
        _ number: UInt32, bits: Int, fractionBits: Int, _ signedness: Signedness, _ rounding: Rounding
    ) -> UInt32 {
        let parts = FloatParts(number, &self)
        let highest: UInt64 = signedness == .signed ? 1 &<< UInt64(bits - 1) &- 1 : 1 &<< UInt64(bits) &- 1
        let lowest: UInt64 = signedness == .signed ? highest &+ 1 : 0
        let limit = parts.sign == 0 ? highest : lowest
        switch parts.kind {
        case .zero: return 0
        case .quietNaN, .signalingNaN:
            raise(.invalid)
            return 0
        case .infinity:
            raise(.invalid)
            return signed(limit, parts.sign)
        case .finite(let significand, let exponent):
            let power = exponent + fractionBits
            // The number is beyond every limit.
            if power > 33 {
                raise(.invalid)
                return signed(limit, parts.sign)
            }
            let (magnitude, isInexact) = roundedShift(parts.sign, significand, -power, rounding)
            if magnitude > limit {
                raise(.invalid)
                return signed(limit, parts.sign)
            }
            if isInexact { raise(.inexact) }
            return signed(magnitude, parts.sign)
        }
    }

    private func signed(_ magnitude: UInt64, _ sign: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: sign == 0 ? magnitude : 0 &- magnitude)
    }

    /// Converts a fixed-point number to single precision. The fixed-point number has `bits` bits in total and `fractionBits`
    /// bits after the binary point.
    mutating func number(
        _ fixed: UInt32, bits: Int, fractionBits: Int, _ signedness: Signedness, _ rounding: Rounding
    ) -> UInt32 {
        let value: Int64 =
            switch (bits, signedness) {
            case (16, .signed): Int64(Int16(truncatingIfNeeded: fixed))
            case (16, .unsigned): Int64(UInt16(truncatingIfNeeded: fixed))
            case (_, .signed): Int64(Int32(bitPattern: fixed))
            case (_, .unsigned): Int64(fixed)
            }
        guard value != 0 else { return 0 }
        return round(value < 0 ? FloatParts.sign : 0, value.magnitude, exponent: -fractionBits, rounding)
    }

    mutating func number(half: UInt32) -> UInt32 {
        let (sign, exponent, fraction) = (half &<< 16 & FloatParts.sign, half &>> 10 & 31, half & 0x3FF)
        if exponent == 31, !usesAlternativeHalf {
            guard fraction != 0 else { return sign | FloatParts.infinity }
            if fraction & 0x200 == 0 { raise(.invalid) }
            return usesDefaultNaN ? FloatParts.defaultNaN : sign | 0x7FC0_0000 | fraction &<< 13
        }
        if exponent == 0 {
            guard fraction != 0 else { return sign }
            let up = UInt32(fraction.leadingZeroBitCount - 21)
            return sign | (113 &- up) &<< 23 | (fraction &<< up & 0x3FF) &<< 13
        }
        return sign | (exponent &+ 112) &<< 23 | fraction &<< 13
    }

    mutating func half(_ number: UInt32) -> UInt32 {
        let parts = FloatParts(number, &self)
        let sign = parts.sign &>> 16
        switch parts.kind {
        case .zero: return sign
        case .quietNaN, .signalingNaN:
            if usesAlternativeHalf {
                raise(.invalid)
                return sign
            }
            if parts.kind == .signalingNaN { raise(.invalid) }
            return usesDefaultNaN ? 0x7E00 : sign | 0x7E00 | number &>> 13 & 0x1FF
        case .infinity:
            guard usesAlternativeHalf else { return sign | 0x7C00 }
            raise(.invalid)
            return sign | 0x7FFF
        case .finite(let significand, let exponent):
            let power = exponent + 63 - significand.leadingZeroBitCount
            let isTiny = power < -14
            let lowest = isTiny ? -24 : power - 10
            let (kept, isInexact) = roundedShift(parts.sign, significand, lowest - exponent, rounding)
            let bits = (isTiny ? 0 : UInt32(power + 14) &<< 10) &+ UInt32(truncatingIfNeeded: kept)
            if bits >= (usesAlternativeHalf ? 0x8000 : 0x7C00) { return sign | overflow(half: parts.sign) }
            if isInexact {
                raise(.inexact)
                if isTiny { raise(.underflow) }
            }
            return sign | bits
        }
    }

    private mutating func overflow(half sign: UInt32) -> UInt32 {
        if usesAlternativeHalf {
            raise(.invalid)
            return 0x7FFF
        }
        raise(.overflow)
        raise(.inexact)
        return switch rounding {
        case .nearest: 0x7C00
        case .up: sign == 0 ? 0x7C00 : 0x7BFF
        case .down: sign == 0 ? 0x7BFF : 0x7C00
        case .towardsZero: 0x7BFF
        }
    }
}
