/// The status and control register of the floating-point unit (A2.5.3, FPSCR).
struct FloatStatus: Equatable, Sendable {
    var word: UInt32 = 0

    /// The bits that can be written.
    static let writable: UInt32 = 0xF7C0_009F

    enum Rounding: UInt32, Sendable {
        case nearest, up, down, towardsZero
    }

    /// What has happened since the flag was cleared, by its bit.
    enum Exception: UInt32, Sendable {
        case invalid = 0
        case divisionByZero = 1
        case overflow = 2
        case underflow = 3
        case inexact = 4
        case subnormalInput = 7
    }

    /// The result of a comparison, as N, Z, C and V.
    enum Comparison: UInt32, Sendable {
        case less = 0b1000
        case equal = 0b0110
        case greater = 0b0010
        case unordered = 0b0011
    }

    var rounding: Rounding { Rounding(rawValue: word &>> 22 & 3) ?? .nearest }
    /// Subnormal numbers count as zero.
    var flushesToZero: Bool { word &>> 24 & 1 != 0 }
    /// Each NaN becomes the same one.
    var usesDefaultNaN: Bool { word &>> 25 & 1 != 0 }
    /// Half-precision numbers have neither infinities nor NaNs.
    var usesAlternativeHalf: Bool { word &>> 26 & 1 != 0 }

    mutating func raise(_ exception: Exception) { word |= 1 &<< exception.rawValue }

    mutating func set(_ comparison: Comparison) { word = word & 0x0FFF_FFFF | comparison.rawValue &<< 28 }
}
