/// A single-precision number in parts (A2.5.4, FPUnpack).
struct FloatParts: Equatable {
    enum Kind: Equatable {
        case zero, infinity
        case quietNaN, signalingNaN
        /// `significand` times two to the power of `exponent`; the significand is not 0.
        case finite(significand: UInt64, exponent: Int)
    }

    static let defaultNaN: UInt32 = 0x7FC0_0000
    static let infinity: UInt32 = 0x7F80_0000
    static let sign: UInt32 = 0x8000_0000

    /// 0 or the highest bit.
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

    /// The number, where it is one that is neither 0 nor infinite.
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
    /// A number that is not 0, as near as single precision comes to it (A2.5.4, FPRound).
    ///
    /// - Parameters:
    ///   - sign: 0 or the highest bit.
    ///   - significand: below 2^62. Its lowest bit is set where something below it was cut off.
    ///   - rounding: another way than the register's.
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
        // The weight of the result's lowest bit.
        let lowest = isTiny ? -149 : power - 23
        let shift = lowest - exponent
        let (kept, isInexact) = roundedShift(sign, significand, shift, rounding ?? self.rounding)
        if isInexact {
            raise(.inexact)
            if isTiny { raise(.underflow) }
        }
        // A carry out of the fraction is one into the exponent.
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

    /// A number shifted right by `shift` bits, left where that is negative, and rounded.
    func roundedShift(
        _ sign: UInt32, _ number: UInt64, _ shift: Int, _ rounding: Rounding
    ) -> (result: UInt64, isInexact: Bool) {
        guard shift > 0 else { return (number &<< UInt64(-shift), false) }
        // So far down that it is less than half of the lowest bit.
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

    /// Whether less than half of the lowest bit makes the magnitude larger.
    private func roundsUp(_ sign: UInt32, _ rounding: Rounding) -> Bool {
        switch rounding {
        case .nearest, .towardsZero: false
        case .up: sign == 0
        case .down: sign != 0
        }
    }

    /// The result of an operation with a NaN, nil without one. The first signaling one counts before the first quiet one
    /// (A2.5.4, FPProcessNaNs).
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

    /// What a sum of two opposite numbers is.
    var zeroOfDifference: UInt32 { rounding == .down ? FloatParts.sign : 0 }
}
