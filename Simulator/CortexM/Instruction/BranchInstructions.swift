/// A condition on the flags (A7.3).
enum Condition: UInt8, Sendable {
    case equal, notEqual, carrySet, carryClear, minus, plus, overflow, noOverflow
    case higher, lowerOrSame, greaterOrEqual, less, greater, lessOrEqual, always
}

/// A change of the program counter. Offsets are in bytes, from the address of the instruction plus 4.
enum Branch: Equatable, Sendable {
    case relative(Int32, Condition)
    case link(Int32)
    /// BX.
    case register(Register)
    /// BLX.
    case linkRegister(Register)
    /// CBZ.
    case whenZero(Register, Int32)
    /// CBNZ.
    case whenNonzero(Register, Int32)
    /// TBB and TBH.
    case table(base: Register, index: Register, entries: Half)
}
