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
