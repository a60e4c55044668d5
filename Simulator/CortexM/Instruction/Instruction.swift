/// The number of a core register: 13 is the stack pointer, 14 the link register, 15 the program counter.
typealias Register = UInt8

/// An instruction of the Cortex-M4: ARMv7E-M with the single-precision floating-point extension. Sections in the comments of
/// this folder are those of the ARMv7-M Architecture Reference Manual (Arm DDI 0403E).
enum Instruction: Equatable, Sendable {
    case arithmetic(Arithmetic)
    /// A shift by the lowest byte of a register (A7.7.68 LSL, register, and its kin).
    case shift(RegisterShift)
    /// MOVW where `half` is the lower one, MOVT where it is the upper.
    case moveHalf(Register, UInt16, half: Half)
    /// ADR, whose base is the program counter, aligned to a word.
    case address(Register, offset: Int32)
    case access(MemoryAccess)
    case dual(DualAccess)
    case multiple(MultipleAccess)
    case exclusive(ExclusiveAccess)
    case branch(Branch)
    case multiply(Multiply)
    case divide(Division)
    case bitField(BitField)
    case extend(Extension)
    case bits(BitOperation, destination: Register, source: Register)
    case saturate(Saturation)
    case saturatingAdd(SaturatingAddition)
    case pack(HalfwordPack)
    case parallel(ParallelArithmetic)
    /// SEL: each byte from `first` where its GE flag is set, otherwise from `second`.
    case select(destination: Register, first: Register, second: Register)
    case absoluteDifferences(AbsoluteDifferences)
    case float(FloatInstruction)
    case system(SystemInstruction)
    case undefined
}

/// A half of a word.
enum Half: UInt8, Sendable {
    case lower, upper
}

/// How the highest bit of a number counts.
enum Signedness: UInt8, Sendable {
    case signed, unsigned
}

/// A side of a shift, and what comes in (A7.4.2).
enum ShiftKind: UInt8, Sendable {
    case left, logicalRight, arithmeticRight, rotateRight
    /// By one, with the carry flag as the highest bit.
    case rotateRightExtended
}

/// Whether an instruction changes the flags.
enum FlagSetting: Sendable {
    case never, always
    /// What most 16-bit forms do.
    case outsideIT
}

/// A shift by an amount that the instruction gives: 0 to 32.
struct Shift: Equatable, Sendable {
    var kind: ShiftKind
    var amount: UInt8

    static let none = Shift(kind: .left, amount: 0)
}

/// The second operand of an arithmetic instruction.
enum Operand: Equatable, Sendable {
    case register(Register, Shift)
    case constant(UInt32)
    /// A constant that was rotated: its highest bit becomes the carry flag (A5.3.2).
    case rotatedConstant(UInt32)
}

/// An instruction of the data-processing groups with a shifted register or a constant (A5.3.1, A5.3.3, A5.3.11).
struct Arithmetic: Equatable, Sendable {
    enum Operation: UInt8, Sendable {
        case and, clear, or, orNot, exclusiveOr, move, moveNot, add, addCarry, subtractCarry, subtract, reverseSubtract
        case test, testEqual, compareNegative, compare

        /// Whether the result is written to a register.
        var hasDestination: Bool {
            switch self {
            case .test, .testEqual, .compareNegative, .compare: false
            case .and, .clear, .or, .orNot, .exclusiveOr, .move, .moveNot, .add, .addCarry, .subtractCarry, .subtract,
                .reverseSubtract:
                true
            }
        }
    }

    var operation: Operation
    var destination: Register
    var first: Register
    var second: Operand
    var flags: FlagSetting
}

struct RegisterShift: Equatable, Sendable {
    var kind: ShiftKind
    var destination: Register
    var source: Register
    var amount: Register
    var flags: FlagSetting
}

/// BFI, BFC, UBFX and SBFX.
struct BitField: Equatable, Sendable {
    enum Operation: Sendable {
        case insert, clear, extractUnsigned, extractSigned
    }

    var operation: Operation
    var destination: Register
    var source: Register
    /// The lowest bit of the field, and its width: 1 to 32.
    var lowest: UInt8
    var width: UInt8
}

/// SXTB and its kin: a part of a register that was rotated, added to another register where there is one.
struct Extension: Equatable, Sendable {
    enum Part: Sendable {
        case byte, halfword
        /// The bytes 0 and 2, as two halfwords.
        case bytePair
    }

    var part: Part
    var signedness: Signedness
    var destination: Register
    var source: Register
    /// 0, 8, 16 or 24 bits to the right.
    var rotation: UInt8
    var addend: Register?
}

enum BitOperation: Sendable {
    case countLeadingZeros, reverseBits, reverseBytes, reverseBytesOfHalfwords, reverseSignedHalfword
}

/// SSAT, USAT, SSAT16 and USAT16.
struct Saturation: Equatable, Sendable {
    enum Lanes: Equatable, Sendable {
        case word(Shift)
        case halfwords
    }

    var signedness: Signedness
    var lanes: Lanes
    /// The width that the result fits into: 1 to 32 bits signed, 0 to 31 unsigned.
    var width: UInt8
    var destination: Register
    var source: Register
}

/// QADD, QSUB, QDADD and QDSUB.
struct SaturatingAddition: Equatable, Sendable {
    enum Operation: Sendable {
        case add, subtract
        /// With twice the second operand, saturated too.
        case doubleAdd, doubleSubtract
    }

    var operation: Operation
    var destination: Register
    var first: Register
    var second: Register
}

/// PKHBT and PKHTB.
struct HalfwordPack: Equatable, Sendable {
    /// The half of the first operand that stays.
    var kept: Half
    var destination: Register
    var first: Register
    var second: Register
    var shift: Shift
}

/// Additions and subtractions of halfwords or bytes side by side (A5.3.13, A5.3.14).
struct ParallelArithmetic: Equatable, Sendable {
    enum Operation: UInt8, Sendable {
        case add16, addSubtractExchange, subtractAddExchange, subtract16, add8, subtract8
    }

    enum Result: UInt8, Sendable {
        /// Wraps around, and sets the GE flags.
        case wrapping
        case saturating, halving
    }

    var operation: Operation
    var result: Result
    var signedness: Signedness
    var destination: Register
    var first: Register
    var second: Register
}

/// USAD8 and USADA8.
struct AbsoluteDifferences: Equatable, Sendable {
    var destination: Register
    var first: Register
    var second: Register
    var addend: Register?
}
