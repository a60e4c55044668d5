/// The number of a core register: 13 is the stack pointer, 14 the link register, 15 the program counter.
typealias Register = UInt8

/// The number of a single-precision register: 0 to 31.
typealias FloatRegister = UInt8

/// An instruction of the Cortex-M4: ARMv7E-M with the single-precision floating-point extension. Sections in the comments of
/// this folder are those of the ARMv7-M Architecture Reference Manual (Arm DDI 0403E). Raw values are names in its assembler
/// language (A7.7), without what conditions and widths add.
enum Instruction: Equatable, Sendable {
    case arithmetic(Arithmetic)
    case shift(RegisterShift)
    /// MOVW and MOVT, by the half that is written.
    case moveHalf(Register, UInt16, half: Half)
    /// ADR: the program counter, aligned to a word, plus an offset.
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
    /// SEL: each byte from `first` if its GE flag is set, otherwise from `second`.
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

/// The direction of a shift, and what comes in (A7.4.2).
enum ShiftKind: String, Sendable {
    case left = "LSL"
    case logicalRight = "LSR"
    case arithmeticRight = "ASR"
    case rotateRight = "ROR"
    /// By one, with the carry flag as the highest bit.
    case rotateRightExtended = "RRX"
}

/// When an instruction changes the flags.
enum FlagSetting: Sendable {
    case never, always
    /// Outside an IT block, as most 16-bit forms do.
    case outsideIT
}

/// A shift by an amount that the instruction gives: 0 to 32.
struct Shift: Equatable, Sendable {
    var kind: ShiftKind
    var amount: UInt8

    static let none = Shift(kind: .left, amount: 0)
}

// MARK: Arithmetic

/// The second operand of an arithmetic instruction.
enum Operand: Equatable, Sendable {
    case register(Register, Shift)
    case constant(UInt32)
    /// A constant that was rotated: its highest bit becomes the carry flag (A5.3.2).
    case rotatedConstant(UInt32)
}

/// An instruction of the data-processing groups with a shifted register or a constant (A5.3.1, A5.3.3, A5.3.11).
struct Arithmetic: Equatable, Sendable {
    enum Operation: String, Sendable {
        case and = "AND"
        case clear = "BIC"
        case or = "ORR"
        case orNot = "ORN"
        case exclusiveOr = "EOR"
        case move = "MOV"
        case moveNot = "MVN"
        case add = "ADD"
        case addCarry = "ADC"
        case subtractCarry = "SBC"
        case subtract = "SUB"
        case reverseSubtract = "RSB"
        case test = "TST"
        case testEqual = "TEQ"
        case compareNegative = "CMN"
        case compare = "CMP"

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

/// A shift by the lowest byte of a register.
struct RegisterShift: Equatable, Sendable {
    var kind: ShiftKind
    var destination: Register
    var source: Register
    var amount: Register
    var flags: FlagSetting
}

/// The multiplications (A5.3.16, A5.3.17).
struct Multiply: Equatable, Sendable {
    /// The halfwords of the two operands that take part.
    struct Halves: Equatable, Sendable {
        var first: Half
        var second: Half
    }

    /// Two products of halfwords, added or subtracted.
    struct Pair: Equatable, Sendable {
        var isDifference: Bool
        /// Whether the halfwords of the second operand are exchanged.
        var isCrossed: Bool
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
        /// SMMUL, SMMLA and SMMLS: the lower word is rounded to nearest, or cut off.
        case highWord(isRounded: Bool), highWordAdd(isRounded: Bool), highWordSubtract(isRounded: Bool)
    }

    var operation: Operation
    /// The destination, or the upper word of a long one.
    var destination: Register
    /// The addend, or the lower word of a long destination.
    var addend: Register
    var first: Register
    var second: Register
    /// Only MUL of 16 bits changes flags.
    var flags: FlagSetting
}

/// SDIV and UDIV.
struct Division: Equatable, Sendable {
    var signedness: Signedness
    var destination: Register
    var dividend: Register
    var divisor: Register
}

// MARK: Bits and lanes

struct BitField: Equatable, Sendable {
    enum Operation: String, Sendable {
        case insert = "BFI"
        case clear = "BFC"
        case extractUnsigned = "UBFX"
        case extractSigned = "SBFX"
    }

    var operation: Operation
    var destination: Register
    var source: Register
    /// The lowest bit of the field, and its width: 1 to 32.
    var lowest: UInt8
    var width: UInt8
}

/// SXTB and its kin: a part of a rotated register, added to another register if there is one.
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

enum BitOperation: String, Sendable {
    case countLeadingZeros = "CLZ"
    case reverseBits = "RBIT"
    case reverseBytes = "REV"
    case reverseBytesOfHalfwords = "REV16"
    case reverseSignedHalfword = "REVSH"
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

struct SaturatingAddition: Equatable, Sendable {
    enum Operation: String, Sendable {
        case add = "QADD"
        case subtract = "QSUB"
        /// With twice the second operand, saturated too.
        case doubleAdd = "QDADD"
        case doubleSubtract = "QDSUB"
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
    enum Operation: String, Sendable {
        case add16 = "ADD16"
        case addSubtractExchange = "ASX"
        case subtractAddExchange = "SAX"
        case subtract16 = "SUB16"
        case add8 = "ADD8"
        case subtract8 = "SUB8"
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

// MARK: Memory

/// How an access makes its address of the base register.
enum Indexing: UInt8, Sendable {
    /// The base plus the offset; the base stays.
    case offset
    /// The base plus the offset, which becomes the base.
    case before
    /// The base, which then becomes the base plus the offset.
    case after
}

enum TransferDirection: UInt8, Sendable {
    case load, store
}

/// A load or a store of one register (A5.3.7 to A5.3.10). With register 15 as its base the address is relative to the program
/// counter, aligned to a word.
struct MemoryAccess: Equatable, Sendable {
    enum Kind: String, Sendable {
        case loadWord = "LDR"
        case loadHalfword = "LDRH"
        case loadByte = "LDRB"
        case loadSignedHalfword = "LDRSH"
        case loadSignedByte = "LDRSB"
        case storeWord = "STR"
        case storeHalfword = "STRH"
        case storeByte = "STRB"
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

    var direction: TransferDirection
    var base: Register
    /// A bit for each register.
    var registers: UInt16
    var order: Order
    /// Whether the base becomes the address behind the last register, or that of the first.
    var writesBack: Bool
}

/// LDREX, STREX, their kin for bytes and halfwords, and CLREX.
enum ExclusiveAccess: Equatable, Sendable {
    case load(MemoryAccess.Kind, register: Register, base: Register, offset: Int32)
    case store(MemoryAccess.Kind, status: Register, register: Register, base: Register, offset: Int32)
    case clear
}

// MARK: Branches

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
    /// TBB for `.lower`, TBH for `.upper`.
    case table(base: Register, index: Register, entries: Half)
}

// MARK: Floating point

/// An instruction of the floating-point extension (A5.3.18, A6.4).
enum FloatInstruction: Equatable, Sendable {
    enum Operation: String, Sendable {
        case add = "VADD"
        case subtract = "VSUB"
        case multiply = "VMUL"
        case multiplyNegated = "VNMUL"
        case divide = "VDIV"
        // Rounded twice.
        case multiplyThenAdd = "VMLA"
        case multiplyThenSubtract = "VMLS"
        case negatedMultiplyThenAdd = "VNMLA"
        case negatedMultiplyThenSubtract = "VNMLS"
        // Rounded once.
        case fusedAdd = "VFMA"
        case fusedSubtract = "VFMS"
        case negatedFusedAdd = "VFNMA"
        case negatedFusedSubtract = "VFNMS"
    }

    enum SingleOperation: String, Sendable {
        case move = "VMOV"
        case absolute = "VABS"
        case negate = "VNEG"
        case squareRoot = "VSQRT"
    }

    /// VCMP raises an exception for signaling NaNs only, VCMPE for each NaN.
    enum Comparison: String, Sendable {
        case quiet = "VCMP"
        case signaling = "VCMPE"
    }

    /// VCVT rounds to an integer towards zero, VCVTR as the control register says.
    enum IntegerRounding: String, Sendable {
        case towardsZero = "VCVT"
        case current = "VCVTR"
    }

    /// A fixed-point number in a register.
    struct Fixed: Equatable, Sendable {
        var register: FloatRegister
        var signedness: Signedness
        /// 16 or 32.
        var bits: UInt8
        var fractionBits: UInt8
    }

    /// A load or a store of several registers in a row: one, or two for a double-precision one, or more.
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
    case compare(Comparison, FloatRegister, FloatRegister)
    case compareZero(Comparison, FloatRegister)
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

// MARK: The processor itself

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
    /// CPSID.
    case mask(MaskRegisters)
    /// CPSIE.
    case unmask(MaskRegisters)
}
