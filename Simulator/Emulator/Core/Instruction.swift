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

/// How the address of an access comes about from its base register.
enum Indexing: UInt8, Sendable {
    /// The base with the offset; the base stays.
    case offset
    /// The base with the offset, which becomes the base.
    case before
    /// The base, which then becomes the base with the offset.
    case after
}

/// Which way a value goes between registers and memory.
enum TransferDirection: UInt8, Sendable {
    case load, store
}

/// A load or a store of one register (A5.3.7 to A5.3.10). With register 15 as its base the address is relative to the program
/// counter, aligned to a word.
struct MemoryAccess: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case loadWord, loadHalfword, loadByte, loadSignedHalfword, loadSignedByte
        case storeWord, storeHalfword, storeByte
    }

    enum Offset: Equatable, Sendable {
        case constant(Int32)
        /// A register, shifted left by 0 to 3.
        case register(Register, UInt8)
    }

    var kind: Kind
    var register: Register
    var base: Register
    var offset: Offset
    var indexing: Indexing
}

/// LDRD and STRD.
struct DualAccess: Equatable, Sendable {
    var direction: TransferDirection
    var first: Register
    var second: Register
    var base: Register
    var offset: Int32
    var indexing: Indexing
}

/// LDM, STM, PUSH and POP.
struct MultipleAccess: Equatable, Sendable {
    enum Order: Sendable {
        /// From the base upwards.
        case after
        /// Up to below the base.
        case before
    }

    enum Writeback: Sendable {
        case none
        /// The base becomes the address behind the last register, or below the first.
        case base
    }

    var direction: TransferDirection
    var base: Register
    /// A bit for each register.
    var registers: UInt16
    var order: Order
    var writeback: Writeback
}

/// LDREX, STREX, their kin for bytes and halfwords, and CLREX.
enum ExclusiveAccess: Equatable, Sendable {
    case load(MemoryAccess.Kind, register: Register, base: Register, offset: Int32)
    case store(MemoryAccess.Kind, status: Register, register: Register, base: Register, offset: Int32)
    case clear
}

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

/// The multiplications (A5.3.16, A5.3.17).
struct Multiply: Equatable, Sendable {
    /// Which halfword of an operand takes part.
    struct Halves: Equatable, Sendable {
        var first: Half
        var second: Half
    }

    /// Two products of halfwords.
    struct Pair: Equatable, Sendable {
        enum Joining: UInt8, Sendable {
            case sum, difference
        }

        enum Order: UInt8, Sendable {
            case straight
            /// The halfwords of the second operand exchanged.
            case crossed
        }

        var joining: Joining
        var order: Order
    }

    /// What becomes of the lower 32 bits of a product.
    enum Rounding: UInt8, Sendable {
        case cut, nearest
    }

    enum Operation: Equatable, Sendable {
        /// MUL, MLA and MLS.
        case word, wordAdd, wordSubtract
        /// SMULL, UMULL, SMLAL, UMLAL, UMAAL.
        case longSigned, longUnsigned, longSignedAdd, longUnsignedAdd, longUnsignedAddBoth
        /// SMULxy and SMLAxy.
        case halfwords(Halves), halfwordsAdd(Halves)
        /// SMLALxy.
        case halfwordsLongAdd(Halves)
        /// SMULWy and SMLAWy.
        case wordByHalfword(Half), wordByHalfwordAdd(Half)
        /// SMUAD and SMUSD, SMLAD and SMLSD, SMLALD and SMLSLD.
        case dual(Pair), dualAdd(Pair), dualLongAdd(Pair)
        /// SMMUL, SMMLA and SMMLS.
        case highWord(Rounding), highWordAdd(Rounding), highWordSubtract(Rounding)
    }

    var operation: Operation
    /// The destination, or the upper word of a long one.
    var destination: Register
    /// The addend, or the lower word of a long destination.
    var addend: Register
    var first: Register
    var second: Register
    /// MUL of 16 bits alone changes flags.
    var flags: FlagSetting
}

/// SDIV and UDIV.
struct Division: Equatable, Sendable {
    var signedness: Signedness
    var destination: Register
    var dividend: Register
    var divisor: Register
}

/// The number of a single-precision register: 0 to 31.
typealias FloatRegister = UInt8

/// An instruction of the floating-point extension (A5.3.18, A6.4).
enum FloatInstruction: Equatable, Sendable {
    enum Operation: UInt8, Sendable {
        case add, subtract, multiply, multiplyNegated, divide
        /// VMLA, VMLS, VNMLA and VNMLS: rounded twice.
        case multiplyThenAdd, multiplyThenSubtract, negatedMultiplyThenAdd, negatedMultiplyThenSubtract
        /// VFMA, VFMS, VFNMA and VFNMS: rounded once.
        case fusedAdd, fusedSubtract, negatedFusedAdd, negatedFusedSubtract
    }

    enum SingleOperation: UInt8, Sendable {
        case move, absolute, negate, squareRoot
    }

    /// VCMP raises an exception for a signaling NaN alone, VCMPE for each.
    enum Quietness: UInt8, Sendable {
        case quiet, signaling
    }

    /// VCVT rounds an integer towards zero, VCVTR as the control register says.
    enum IntegerRounding: UInt8, Sendable {
        case towardsZero, current
    }

    /// A fixed-point number in a register.
    struct Fixed: Equatable, Sendable {
        var register: FloatRegister
        var signedness: Signedness
        /// 16 or 32.
        var bits: UInt8
        var fractionBits: UInt8
    }

    /// A load or a store of one register, or of two for a double-precision one, or of more.
    struct Access: Equatable, Sendable {
        var direction: TransferDirection
        var first: FloatRegister
        var count: UInt8
        var base: Register
        var offset: Int32
        /// What is added to the base afterwards.
        var writeback: Int32
    }

    case arithmetic(Operation, FloatRegister, FloatRegister, FloatRegister)
    case single(SingleOperation, FloatRegister, FloatRegister)
    case constant(FloatRegister, UInt32)
    case compare(Quietness, FloatRegister, FloatRegister)
    case compareZero(Quietness, FloatRegister)
    case toInteger(FloatRegister, FloatRegister, Signedness, IntegerRounding)
    case fromInteger(FloatRegister, FloatRegister, Signedness)
    case toFixed(Fixed)
    case fromFixed(Fixed)
    case toHalf(FloatRegister, FloatRegister, Half)
    case fromHalf(FloatRegister, FloatRegister, Half)
    case fromCore(FloatRegister, Register)
    case toCore(Register, FloatRegister)
    case pairFromCore(FloatRegister, Register, Register)
    case pairToCore(Register, Register, FloatRegister)
    /// VMRS; register 15 stands for the flags of the program.
    case readStatus(Register)
    case writeStatus(Register)
    case access(Access)
}

/// Whether interrupts are kept off.
enum Masking: UInt8, Sendable {
    case off, on
}

/// The registers that keep interrupts off (B1.4.3).
struct MaskRegisters: OptionSet, Sendable {
    let rawValue: UInt8

    static let faultmask = MaskRegisters(rawValue: 1)
    static let primask = MaskRegisters(rawValue: 2)
}

/// What changes the processor's own state, or waits.
enum SystemInstruction: Equatable, Sendable {
    /// NOP, YIELD, DBG and hints that this processor does not know.
    case none
    case waitForInterrupt, waitForEvent, sendEvent
    /// DMB, DSB and ISB.
    case barrier
    /// IT: the condition of the block, with its mask, as the IT state has them (A7.3.3).
    case ifThen(UInt8)
    case breakpoint(UInt8)
    case supervisorCall(UInt8)
    /// MRS: a special register, by its number (B5.1.1).
    case read(Register, special: UInt8)
    /// MSR: with the bits of the application's flags that are written.
    case write(Register, special: UInt8, mask: UInt8)
    /// CPSIE and CPSID, which change PRIMASK, FAULTMASK or both.
    case mask(Masking, MaskRegisters)
}
