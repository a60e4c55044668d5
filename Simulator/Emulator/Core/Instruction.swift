/// The number of a register. Of the core's registers, 13 is the stack pointer, 14 the link register, 15 the program counter.
typealias Register = UInt8

/// An instruction of the Cortex-M4: ARMv7E-M with the single-precision floating-point extension. Section numbers in this folder
/// are those of the ARMv7-M Architecture Reference Manual (Arm DDI 0403E).
///
/// Its operands are the fields of its encoding: see `Encoding`. An operation uses only the fields that its encodings have.
struct Instruction: Equatable, Sendable {
    /// The kind of the second operand.
    enum Source: Sendable {
        /// The second register, shifted.
        case register
        case constant
        /// A rotated constant. Its highest bit becomes the carry flag (A5.3.2).
        case rotatedConstant
    }

    var operation: Operation
    /// The destination, the register that is loaded or stored, or the upper word of a long result.
    var destination: Register = 15
    /// The first operand, or the base of an address.
    var first: Register = 15
    var second: Register = 15
    /// The addend, the lower word of a long result, or the second register of a transfer.
    var third: Register = 15
    var source = Source.register
    /// Offsets are signed, in bytes. A list of registers has a bit for each.
    var constant: UInt32 = 0
    var shift = Shift.none
    var flags = FlagSetting.never
    var indexing = Indexing.offset
    /// The bits that choose between variants of the operation.
    var variant: UInt8 = 0

    static let undefined = Instruction(operation: .undefined)
}

enum Operation: Equatable, Sendable {
    case arithmetic(Arithmetic)
    /// A shift by the lowest byte of the second register.
    case shift(ShiftKind)
    /// MOVW and MOVT, by the written half.
    case moveHalf(Half)
    /// ADR: the program counter, aligned to a word, plus an offset.
    case address
    case access(MemoryAccess)
    /// LDRD and STRD.
    case dual(TransferDirection)
    /// LDM, STM, PUSH and POP. The constant is the list of registers.
    case multiple(TransferDirection, MultipleOrder)
    /// LDREX and similar instructions.
    case loadExclusive(MemoryAccess)
    /// STREX and similar instructions. The status goes to the destination, and the value comes from the third register.
    case storeExclusive(MemoryAccess)
    case clearExclusive
    case branch(Branch)
    case multiply(Multiply)
    case divide(Signedness)
    case bitField(BitField)
    /// SXTB and similar instructions: a part of the second register, rotated by bytes, plus the first register if that is not 15.
    case extend(ExtendedPart, Signedness)
    case bits(BitOperation)
    /// SSAT and USAT, with the word shifted; SSAT16 and USAT16.
    case saturate(Signedness), saturateHalfwords(Signedness)
    case saturatingAdd(SaturatingAddition)
    /// PKHBT and PKHTB, by the half that comes from the first operand.
    case pack(Half)
    case parallel(ParallelArithmetic, LaneResult, Signedness)
    /// SEL: each byte from the first register if its GE flag is set, otherwise from the second.
    case select
    /// USAD8 and USADA8, whose third register is not 15.
    case absoluteDifferences
    case float(FloatOperation)
    case system(SystemOperation)
    case undefined
}

enum Half: UInt8, Sendable {
    case lower, upper
}

/// The meaning of a number's highest bit.
enum Signedness: Sendable {
    case signed, unsigned
}

/// The direction of a shift and the bits that it shifts in (A7.4.2), by its name in the assembler language.
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
    /// Outside an IT block, for most 16-bit forms.
    case outsideIT
}

/// A shift by an amount in the instruction: 0 to 32.
struct Shift: Equatable, Sendable {
    var kind: ShiftKind
    var amount: UInt8

    static let none = Shift(kind: .left, amount: 0)
}

/// The data-processing groups with a shifted register or a constant (A5.3.1, A5.3.3, A5.3.11).
enum Arithmetic: Sendable {
    case and, clear, or, orNot, exclusiveOr, move, moveNot
    case add, addCarry, subtractCarry, subtract, reverseSubtract
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

/// The multiplications (A5.3.16, A5.3.17).
enum Multiply: Sendable {
    case word, wordAdd, wordSubtract
    case longSigned, longUnsigned, longSignedAdd, longUnsignedAdd, longUnsignedAddBoth
    /// SMULxy and similar instructions. The variant is the half of the first operand, then that of the second.
    case halfwords, halfwordsAdd, halfwordsLongAdd
    /// SMULWy and SMLAWy. The variant is the half of the second operand.
    case wordByHalfword, wordByHalfwordAdd
    /// SMUAD, SMUSD and similar: two products of halfwords. The variant exchanges the halfwords of the second operand.
    case dual, dualDifference, dualAdd, dualDifferenceAdd, dualLongAdd, dualDifferenceLongAdd
    /// SMMUL, SMMLA and SMMLS. The variant rounds the lower word to nearest; without it the lower word is cut off.
    case highWord, highWordAdd, highWordSubtract
}

/// The shift's amount is the lowest bit of the field. The constant is an insertion's highest bit, otherwise the width minus 1.
enum BitField: Sendable {
    case insert, clear, extractUnsigned, extractSigned
}

enum ExtendedPart: Sendable {
    case byte, halfword
    /// Bytes 0 and 2, as two halfwords.
    case bytePair
}

enum BitOperation: Sendable {
    case countLeadingZeros, reverseBits, reverseBytes, reverseBytesOfHalfwords, reverseSignedHalfword
}

enum SaturatingAddition: Sendable {
    case add, subtract
    /// With the doubled first register, which is saturated too.
    case doubleAdd, doubleSubtract
}

/// Additions and subtractions of halfwords or bytes side by side (A5.3.13, A5.3.14).
enum ParallelArithmetic: Sendable {
    case add16, addSubtractExchange, subtractAddExchange, subtract16, add8, subtract8
}

enum LaneResult: Sendable {
    /// Wraps around, and sets the GE flags.
    case wrapping
    case saturating, halving
}

/// How an access computes its address from the base register.
enum Indexing: Sendable {
    /// The base plus the offset. The base stays.
    case offset
    /// The base plus the offset, which becomes the new base.
    case before
    /// The base. Then the base plus the offset becomes the new base.
    case after
}

enum TransferDirection: Sendable {
    case load, store
}

enum MultipleOrder: Sendable {
    /// From the base upwards.
    case after
    /// Below the base.
    case before
}

/// A load or a store of one register (A5.3.7 to A5.3.10). With register 15 as its base the address is relative to the program
/// counter, aligned to a word.
enum MemoryAccess: Sendable {
    case loadWord, loadHalfword, loadByte, loadSignedHalfword, loadSignedByte
    case storeWord, storeHalfword, storeByte
}

/// A condition on the flags (A7.3).
enum Condition: UInt8, Sendable {
    case equal, notEqual, carrySet, carryClear, minus, plus, overflow, noOverflow
    case higher, lowerOrSame, greaterOrEqual, less, greater, lessOrEqual, always
}

/// A change of the program counter. Offsets count from the address of the instruction plus 4.
enum Branch: Sendable {
    case always
    /// The variant is the condition.
    case conditional
    case link
    /// BX and BLX.
    case register, linkRegister
    /// CBZ and CBNZ.
    case whenZero, whenNonzero
    /// TBB and TBH.
    case byteTable, halfwordTable
}

/// The floating-point extension (A5.3.18, A6.4).
enum FloatOperation: Equatable, Sendable {
    case add, subtract, multiply, multiplyNegated, divide
    // With two roundings.
    case multiplyThenAdd, multiplyThenSubtract, negatedMultiplyThenAdd, negatedMultiplyThenSubtract
    // With one rounding.
    case fusedAdd, fusedSubtract, negatedFusedAdd, negatedFusedSubtract
    case move, constant, absolute, negate, squareRoot
    case compare(NaNComparison), compareZero(NaNComparison)
    case toInteger(Signedness, FloatStatus.Rounding?), fromInteger(Signedness)
    /// A fixed-point number of 16 or 32 bits. The second register is the number of bits before the point.
    case toFixed(Signedness, bits: UInt8), fromFixed(Signedness, bits: UInt8)
    /// VCVTB and VCVTT.
    case toHalf(Half), fromHalf(Half)
    case fromCore, toCore
    /// Two registers each: the destination and the next one, and the first and the third register of the core.
    case pairFromCore, pairToCore
    /// VMRS. Register 15 stands for the program's flags.
    case readStatus
    case writeStatus
    /// VLDR and VSTR of a single-precision register, or of two for a double-precision one.
    case access(TransferDirection, count: UInt8)
    /// VLDM and VSTM. The constant is the number of registers.
    case multiple(TransferDirection, MultipleOrder)
}

/// VCMP raises an exception only for signaling NaNs, VCMPE for every NaN.
enum NaNComparison: Sendable {
    case quiet, signaling
}

/// The registers that mask interrupts (B1.4.3).
struct MaskRegisters: OptionSet, Sendable {
    let rawValue: UInt8

    static let faultmask = MaskRegisters(rawValue: 1)
    static let primask = MaskRegisters(rawValue: 2)
}

/// Instructions that change the processor's own state, or wait.
enum SystemOperation: Sendable {
    /// NOP, YIELD, DBG and hints that are unknown to this processor.
    case none
    case waitForInterrupt, waitForEvent, sendEvent
    /// DMB, DSB and ISB.
    case barrier
    /// The constant is the condition of the block, with its mask, as in the IT state (A7.3.3).
    case ifThen
    case breakpoint, supervisorCall
    /// A debugger's stop in place of the instruction.
    case stop
    /// MRS and MSR. The constant is the number of the special register (B5.1.1). The variant selects the bits of the
    /// application's flags to write.
    case read, write
    /// CPSID and CPSIE. The constant is the set of registers.
    case mask, unmask
}
