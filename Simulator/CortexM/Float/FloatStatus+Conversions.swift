/// Between single-precision numbers and integers, fixed-point and half-precision numbers (A2.5.4).
extension FloatStatus {
    /// The integer of `bits` bits that a number rounds to. A number out of the integer's range becomes the nearest end of it.
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
            // Above every limit.
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

    /// The magnitude with its sign.
    private func signed(_ magnitude: UInt64, _ sign: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: sign == 0 ? magnitude : 0 &- magnitude)
    }

    /// The number that an integer of `bits` bits stands for, the lowest `fractionBits` of them behind the point.
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

    /// A half-precision number as a single-precision one, which is exact.
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

    /// A single-precision number as a half-precision one.
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
