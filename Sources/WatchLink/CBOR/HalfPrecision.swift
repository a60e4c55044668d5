/// The 16-bit floating-point format of IEEE 754, on bit patterns because not every target has it as a type.
enum HalfPrecision {
    /// The bits of the half with exactly this value, nil where there is none and for NaN.
    static func bits(exactly value: Float) -> UInt16? {
        let pattern = value.bitPattern
        let sign = UInt16(truncatingIfNeeded: pattern >> 16) & 0x8000
        let exponent = Int(truncatingIfNeeded: pattern >> 23 & 0xFF)
        let fraction = pattern & 0x7F_FFFF
        if exponent == 0 && fraction == 0 { return sign }
        if exponent == 0xFF { return fraction == 0 ? sign | 0x7C00 : nil }
        let power = exponent &- 127
        if power > 15 || power < -24 { return nil }
        if power >= -14 {
            guard fraction & 0x1FFF == 0 else { return nil }
            let biased = UInt16(truncatingIfNeeded: power &+ 15)
            return sign | biased << 10 | UInt16(truncatingIfNeeded: fraction >> 13)
        }
        // Below 2^-14 a half has no implicit leading one: the whole significand moves into the fraction.
        let significand = fraction | 0x80_0000
        let shift = UInt32(truncatingIfNeeded: -1 &- power)
        guard significand & ((1 << shift) &- 1) == 0 else { return nil }
        return sign | UInt16(truncatingIfNeeded: significand >> shift)
    }

    /// The value of a half, which every larger format represents exactly.
    static func value(bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let exponent = UInt32(bits >> 10 & 0x1F)
        let fraction = UInt32(bits & 0x3FF)
        if exponent == 0x1F { return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13) }
        if exponent > 0 { return Float(bitPattern: sign | (exponent &+ 112) << 23 | fraction << 13) }
        // 2^23 with the fraction in its lowest bits is exactly 2^23 + fraction: a conversion without generic code.
        let magnitude = (Float(bitPattern: 0x4B00_0000 | fraction) - 0x1p23) * 0x1p-24
        return sign == 0 ? magnitude : -magnitude
    }
}
