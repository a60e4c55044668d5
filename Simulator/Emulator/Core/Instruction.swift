/// The number of a register. In the core, 13 is the stack pointer, 14 the link register and 15 the program counter.
typealias Register = UInt8

/// A decoded instruction of the Cortex-M4: ARMv7E-M with the single-precision floating-point extension. Section numbers in this
/// folder are from the ARMv7-M Architecture Reference Manual (Arm DDI 0403E).
///
/// The operands are the fields of the encoding (see `Encoding`). An operation reads only the fields that its encodings have.
struct Instruction: Equatable, Sendable {
    enum Source: Sendable {
        /// The second register, after the shift.
        case register
        case constant
        /// A rotated constant. Its highest bit becomes the carry flag (A5.3.2).
        case rotatedConstant
    }

    var operation: Operation
    /// The register of the result, or the one that is loaded or stored. Of a 64-bit result, it gets the upper word.
    var destination: Register = 15
    /// The register of the first operand, or the base of an address.
    var first: Register = 15
    var second: Register = 15
    /// The addend, the lower word of a 64-bit result, or the second register of a dual load or store.
    var third: Register = 15
    var source = Source.register
    /// The constant operand. An offset is signed, in bytes. A list of registers has one bit for each register.
    var constant: UInt32 = 0
    var shift = Shift.none
    var flags = FlagSetting.never
    var indexing = Indexing.offset
    /// The bits that select a variant of the operation.
    var variant: UInt8 = 0

    static let undefined = Instruction(operation: .undefined)
}

enum Operation: Equatable, Sendable {
    case arithmetic(Arithmetic)
    /// Shifts the first register by the lowest byte of the second.
    case shift(ShiftKind)
    /// MOVW and MOVT. The case holds the half that the instruction writes.
    case moveHalf(Half)
    /// ADR: the program counter, rounded down to a word, plus an offset.
    case address
    case access(MemoryAccess)
    case dual(TransferDirection)
    /// LDM, STM, PUSH and POP. The constant is the list of registers.
    case multiple(TransferDirection, MultipleOrder)
    case loadExclusive(MemoryAccess)
    /// STREX, STREXB and STREXH. The status goes to the destination, and the value comes from the third register.
    case storeExclusive(MemoryAccess)
    case clearExclusive
    case branch(Branch)
    case multiply(Multiply)
    case divide(Signedness)
    case bitField(BitField)
    /// SXTB, SXTAB and related instructions. They extend a part of the second register after a rotation by whole bytes. If the
    /// first register is not 15, they add it.
    case extend(ExtendedPart, Signedness)
    case bits(BitOperation)
    /// SSAT and USAT, which saturate a shifted word; SSAT16 and USAT16, which saturate two halfwords.
    case saturate(Signedness), saturateHalfwords(Signedness)
    case saturatingAdd(SaturatingAddition)
    /// PKHBT and PKHTB. The case holds the half that comes from the first operand.
    case pack(Half)
    case parallel(ParallelArithmetic, LaneResult, Signedness)
    /// SEL: takes each byte from the first register if its GE flag is set, otherwise from the second.
    case select
    /// USAD8, and USADA8 if the third register is not 15.
    case absoluteDifferences
    case float(FloatOperation)
    case system(SystemOperation)
    case undefined
}

enum Half: UInt8, Sendable {
    case lower, upper
}

enum Signedness: Sendable {
    case signed, unsigned
}

/// A kind of shift (A7.4.2). The raw value is its mnemonic.
enum ShiftKind: String, Sendable {
    case left = "LSL"
    case logicalRight = "LSR"
    case arithmeticRight = "ASR"
    case rotateRight = "ROR"
    /// Rotates by one bit through the carry flag.
    case rotateRightExtended = "RRX"
}

enum FlagSetting: Sendable {
    case never, always
    /// Most 16-bit instructions: they set the flags only outside an IT block.
    case outsideIT
}

/// A shift by a constant amount: 0 to 32 bits.
struct Shift: Equatable, Sendable {
    var kind: ShiftKind
    var amount: UInt8

    static let none = Shift(kind: .left, amount: 0)
}

/// Arithmetic and logic with a shifted register or a constant as the second operand (A5.3.1, A5.3.3, A5.3.11).
enum Arithmetic: Sendable {
    case and, clear, or, orNot, exclusiveOr, move, moveNot
    case add, addCarry, subtractCarry, subtract, reverseSubtract
    case test, testEqual, compareNegative, compare

    var hasDestination: Bool {
        switch self {
        case .test, .testEqual, .compareNegative, .compare: false
        case .and, .clear, .or, .orNot, .exclusiveOr, .move, .moveNot, .add, .addCarry, .subtractCarry, .subtract,
            .reverseSubtract:
            true
        }
    }
}

enum Multiply: Sendable {
    case word, wordAdd, wordSubtract
    case longSigned, longUnsigned, longSignedAdd, longUnsignedAdd, longUnsignedAddBoth
    /// SMULxy and related instructions. The variant selects a half of the first operand (upper bit) and of the second (lower
    /// bit).
    case halfwords, halfwordsAdd, halfwordsLongAdd
    /// SMULWy and SMLAWy. The variant selects the half of the second operand.
    case wordByHalfword, wordByHalfwordAdd
    /// SMUAD, SMUSD and related instructions, which multiply two pairs of halfwords. The variant exchanges the halfwords of the
    /// second operand.
    case dual, dualDifference, dualAdd, dualDifferenceAdd, dualLongAdd, dualDifferenceLongAdd
    /// SMMUL, SMMLA and SMMLS, which keep the upper word of the product. The variant says whether they round the product or cut
    /// the lower word off.
    case highWord, highWordAdd, highWordSubtract
}

/// Operations on a field of bits. The field's lowest bit is the instruction's `shift.amount`. Its highest bit is `constant` for
/// `insert` and `clear`. For the extractions, `constant` is the field's width minus 1.
enum BitField: Sendable {
    case insert, clear, extractUnsigned, extractSigned
}

enum ExtendedPart: Sendable {
    case byte, halfword
    /// Bytes 0 and 2, extended to two halfwords.
    case bytePair
}

enum BitOperation: Sendable {
    case countLeadingZeros, reverseBits, reverseBytes, reverseBytesOfHalfwords, reverseSignedHalfword
}

enum SaturatingAddition: Sendable {
    case add, subtract
    /// QDADD and QDSUB. They double and saturate the first register before they add or subtract it.
    case doubleAdd, doubleSubtract
}

/// Arithmetic on the halfwords or bytes of a word (A5.3.13, A5.3.14).
enum ParallelArithmetic: Sendable {
    case add16, addSubtractExchange, subtractAddExchange, subtract16, add8, subtract8
}

enum LaneResult: Sendable {
    /// The result wraps around, and sets the GE flags.
    case wrapping
    case saturating, halving
}

enum Indexing: Sendable {
    /// The address is base plus offset. The base does not change.
    case offset
    /// The address is base plus offset, which becomes the new base.
    case before
    /// The address is the base. Afterwards, base plus offset becomes the new base.
    case after
}

enum TransferDirection: Sendable {
    case load, store
}

enum MultipleOrder: Sendable {
    /// The addresses begin at the base.
    case after
    /// The addresses end below the base.
    case before
}

/// A load or a store of one register (A5.3.7 to A5.3.10). If the base is register 15, the address is relative to the program
/// counter, rounded down to a word.
enum MemoryAccess: Sendable {
    case loadWord, loadHalfword, loadByte, loadSignedHalfword, loadSignedByte
    case storeWord, storeHalfword, storeByte
}

enum Condition: UInt8, Sendable {
    case equal, notEqual, carrySet, carryClear, minus, plus, overflow, noOverflow
    case higher, lowerOrSame, greaterOrEqual, less, greater, lessOrEqual, always
}

/// A branch. Offsets count from the address of the instruction plus 4.
enum Branch: Sendable {
    case always
    /// The variant of the instruction is the condition.
    case conditional
    case link
    case register, linkRegister
    case whenZero, whenNonzero
    case byteTable, halfwordTable
}

/// Operations of the floating-point extension (A5.3.18, A6.4).
enum FloatOperation: Equatable, Sendable {
    case add, subtract, multiply, multiplyNegated, divide
    // VMLA and related instructions, which round the product and then the sum.
    case multiplyThenAdd, multiplyThenSubtract, negatedMultiplyThenAdd, negatedMultiplyThenSubtract
    // VFMA and related instructions, which round only the sum.
    case fusedAdd, fusedSubtract, negatedFusedAdd, negatedFusedSubtract
    case move, constant, absolute, negate, squareRoot
    case compare(NaNComparison), compareZero(NaNComparison)
    case toInteger(Signedness, FloatStatus.Rounding?), fromInteger(Signedness)
    /// Conversion to or from a fixed-point number of 16 or 32 bits. The second register's number tells how many of these bits
    /// are before the point.
    case toFixed(Signedness, bits: UInt8), fromFixed(Signedness, bits: UInt8)
    /// VCVTB and VCVTT, which use the lower or the upper half of a register.
    case toHalf(Half), fromHalf(Half)
    case fromCore, toCore
    /// Moves between two floating-point registers (the destination and the next one) and two registers of the core (the first and
    /// the third).
    case pairFromCore, pairToCore
    /// VMRS. Register 15 selects the processor's condition flags.
    case readStatus
    case writeStatus
    /// VLDR and VSTR. `count` is 1 for a single-precision register, 2 for a double-precision one.
    case access(TransferDirection, count: UInt8)
    /// VLDM and VSTM. The constant is the number of single-precision registers.
    case multiple(TransferDirection, MultipleOrder)
}

/// Which NaNs raise an exception: signaling ones for VCMP (`quiet`), every NaN for VCMPE (`signaling`).
enum NaNComparison: Sendable {
    case quiet, signaling
}

/// The registers that mask interrupts (B1.4.3).
struct MaskRegisters: OptionSet, Sendable {
    let rawValue: UInt8

    static let faultmask = MaskRegisters(rawValue: 1)
    static let primask = MaskRegisters(rawValue: 2)
}

/// Instructions that change the state of the processor, or wait.
enum SystemOperation: Sendable {
    /// NOP, YIELD, DBG and hints that this processor does not implement.
    case none
    case waitForInterrupt, waitForEvent, sendEvent
    case barrier
    /// IT. The constant is the new IT state: the condition of the block and its mask (A7.3.3).
    case ifThen
    case breakpoint, supervisorCall
    /// Stops the program for a debugger. The core executes this in place of the instruction at a breakpoint.
    case stop
    /// MRS and MSR. The constant is the number of the special register (B5.1.1). If that register contains the APSR, the
    /// variant selects the flags that MSR writes.
    case read, write
    /// CPSID and CPSIE. The constant is a set of `MaskRegisters`.
    case mask, unmask
}
