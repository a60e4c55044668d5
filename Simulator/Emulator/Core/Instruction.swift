/// The number of a core register (0 to 15) or of a floating-point register (0 to 31). Core register 13 is the stack pointer,
/// 14 the link register and 15 the program counter.
typealias Register = UInt8

/// A decoded instruction of the Cortex-M4: ARMv7E-M with the single-precision floating-point extension. Section numbers in this
/// folder are from the ARMv7-M Architecture Reference Manual (Arm DDI 0403E).
///
/// An operand that the encoding neither contains nor implies has its default value (see `Encoding`).
struct Instruction: Equatable, Sendable {
    /// Where the second operand comes from.
    enum Source: Sendable {
        /// The register `second`, shifted by `shift`.
        case register
        case constant
        /// `constant`, which is encoded as a rotated byte. A logical instruction that sets the flags copies the constant's
        /// highest bit to the carry flag (A5.3.2).
        case rotatedConstant
    }

    var operation: Operation
    /// The register for the result, or for the upper word of a 64-bit result. In a load or a store, the register to load or
    /// store.
    var destination: Register = 15
    /// The register of the first operand, or of the base address.
    var first: Register = 15
    var second: Register = 15
    /// The register of the addend, of the lower word of a 64-bit result, or of the second word that LDRD or STRD transfers.
    var third: Register = 15
    var source = Source.register
    /// The constant operand. An offset is a signed number of bytes. In a list of registers, bit n stands for register n.
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
    /// LSL, LSR, ASR and ROR by a register. The lowest byte of the second register is the number of bits by which the first
    /// register is shifted.
    case shift(ShiftKind)
    /// MOVW (`lower`) writes the constant to the lower half of the register, and clears the upper half. MOVT (`upper`) writes
    /// the constant to the upper half only.
    case moveHalf(Half)
    /// ADR. The result is the program counter, rounded down to a multiple of 4, plus the constant.
    case address
    case access(MemoryAccess)
    /// LDRT, STRT and related instructions, which access memory with the rights of an unprivileged program.
    case unprivilegedAccess(MemoryAccess)
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
    /// SXTB, SXTAB and related instructions. They rotate the second operand right by `shift.amount` bytes, and extend a part of
    /// the rotated word. If `first` is not 15, they add the first register.
    case extend(ExtendedPart, Signedness)
    case bits(BitOperation)
    /// SSAT and USAT, which saturate a shifted word; SSAT16 and USAT16, which saturate two halfwords.
    case saturate(Signedness), saturateHalfwords(Signedness)
    case saturatingAdd(SaturatingAddition)
    /// PKHBT and PKHTB. The case holds the half that comes from the first operand.
    case pack(Half)
    case parallel(ParallelArithmetic, LaneResult, Signedness)
    /// SEL. Each byte of the result comes from the first register if the GE flag of that byte is set, otherwise from the
    /// second.
    case select
    /// USAD8 if `third` is 15, otherwise USADA8, which adds the third register.
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
    /// Rotates right by one bit through the carry flag.
    case rotateRightExtended = "RRX"
}

enum FlagSetting: Sendable {
    case never, always
    /// The instruction sets the flags only outside an IT block, as most 16-bit instructions do.
    case outsideIT
}

/// A shift by a constant amount: 0 to 32 bits.
struct Shift: Equatable, Sendable {
    var kind: ShiftKind
    var amount: UInt8

    static let none = Shift(kind: .left, amount: 0)
}

/// An arithmetic or logical operation. Its second operand is a shifted register or a constant (A5.3.1, A5.3.3, A5.3.11).
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
    /// SMULxy and related instructions. If bit 1 of the variant is set, they use the upper half of the first operand,
    /// otherwise the lower half. Bit 0 selects the half of the second operand in the same way.
    case halfwords, halfwordsAdd, halfwordsLongAdd
    /// SMULWy and SMLAWy. They use the upper half of the second operand if the variant is 1, otherwise the lower half.
    case wordByHalfword, wordByHalfwordAdd
    /// SMUAD, SMUSD and related instructions, which multiply two pairs of halfwords. If the variant is 1, they first exchange
    /// the halfwords of the second operand.
    case dual, dualDifference, dualAdd, dualDifferenceAdd, dualLongAdd, dualDifferenceLongAdd
    /// SMMUL, SMMLA and SMMLS, which return the upper word of a 64-bit result. If the variant is 1, they round to that word,
    /// otherwise they truncate.
    case highWord, highWordAdd, highWordSubtract
}

/// An operation on a bit field. The field's lowest bit has the position `shift.amount`. For `insert` and `clear`, `constant`
/// is the position of the highest bit. For the extractions, it is the field's width minus 1.
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
    /// QDADD and QDSUB. They double the first operand, and saturate the product. QDADD adds the product to the second operand.
    /// QDSUB subtracts the product from the second operand.
    case doubleAdd, doubleSubtract
}

/// Arithmetic on the halfwords or bytes of a word (A5.3.13, A5.3.14).
enum ParallelArithmetic: Sendable {
    case add16, addSubtractExchange, subtractAddExchange, subtract16, add8, subtract8
}

enum LaneResult: Sendable {
    /// Each lane's result wraps around, and the instruction sets the GE flags.
    case wrapping
    case saturating, halving
}

enum Indexing: Sendable {
    /// The address is base plus offset. The base does not change.
    case offset
    /// The address is base plus offset. This address becomes the new base.
    case before
    /// The address is the base. Afterwards, base plus offset becomes the new base.
    case after
}

enum TransferDirection: Sendable {
    case load, store
}

enum MultipleOrder: Sendable {
    /// Increment after: the first register is at the base address, and the other registers follow.
    case after
    /// Decrement before: the last register is at the base address minus 4, and the other registers precede it.
    case before
}

/// A load or a store of one register (A5.3.7 to A5.3.10). If the base is register 15, the base address is the program counter,
/// rounded down to a multiple of 4.
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

/// An operation of the floating-point extension (A5.3.18, A6.4).
enum FloatOperation: Equatable, Sendable {
    case add, subtract, multiply, multiplyNegated, divide
    // VMLA and related instructions, which round the product and then the sum.
    case multiplyThenAdd, multiplyThenSubtract, negatedMultiplyThenAdd, negatedMultiplyThenSubtract
    // VFMA and related instructions, which round only the sum.
    case fusedAdd, fusedSubtract, negatedFusedAdd, negatedFusedSubtract
    case move, constant, absolute, negate, squareRoot
    case compare(NaNComparison), compareZero(NaNComparison)
    case toInteger(Signedness, FloatStatus.Rounding?), fromInteger(Signedness)
    /// Converts to or from a fixed-point number of 16 or 32 bits. `second` is not a register here, but the number of bits
    /// before the binary point, including the sign.
    case toFixed(Signedness, bits: UInt8), fromFixed(Signedness, bits: UInt8)
    /// VCVTB (`lower`) and VCVTT (`upper`). The half-precision number is in this half of its register.
    case toHalf(Half), fromHalf(Half)
    case fromCore, toCore
    /// VMOV of two words between the core registers `first` and `third` and the floating-point registers `destination` and
    /// `destination` + 1.
    case pairFromCore, pairToCore
    /// VMRS. If the destination is 15, it copies the floating-point condition flags to the processor's flags.
    case readStatus
    case writeStatus
    /// VLDR and VSTR. `count` is 1 for a single-precision register, 2 for a double-precision one.
    case access(TransferDirection, count: UInt8)
    /// VLDM and VSTM. The constant is the number of single-precision registers.
    case multiple(TransferDirection, MultipleOrder)
}

/// Which NaNs make a comparison raise the Invalid Operation exception: for VCMP (`quiet`) only signaling NaNs, for VCMPE
/// (`signaling`) all NaNs.
enum NaNComparison: Sendable {
    case quiet, signaling
}

/// A set of interrupt mask registers (B1.4.3).
struct MaskRegisters: OptionSet, Sendable {
    let rawValue: UInt8

    static let faultmask = MaskRegisters(rawValue: 1)
    static let primask = MaskRegisters(rawValue: 2)
}

/// An instruction that controls the processor, such as a hint, a barrier, an exception or an access to a special register.
enum SystemOperation: Sendable {
    /// NOP, YIELD, DBG and hints that this processor does not implement.
    case none
    case waitForInterrupt, waitForEvent, sendEvent
    case barrier
    /// IT. The constant is the new IT state: the condition and the mask of the block (A7.3.3).
    case ifThen
    case breakpoint, supervisorCall
    /// Stops the program for a debugger. The core executes this in place of the instruction at a breakpoint.
    case stop
    /// MRS and MSR. The constant is the number of the special register (B5.1.1). If MSR writes a register that contains the
    /// APSR, bit 1 of the variant selects the flags N, Z, C, V and Q, and bit 0 selects GE.
    case read, write
    /// CPSID and CPSIE. The constant is a set of `MaskRegisters`.
    case mask, unmask
}
