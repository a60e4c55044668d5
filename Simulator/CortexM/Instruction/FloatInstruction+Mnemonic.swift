extension FloatInstruction {
    /// The name in the assembler language (A7.7).
    var mnemonic: String {
        switch self {
        case .arithmetic(let operation, _, _, _): operation.mnemonic
        case .single(.absolute, _, _): "VABS"
        case .single(.negate, _, _): "VNEG"
        case .single(.squareRoot, _, _): "VSQRT"
        case .single(.move, _, _), .constant, .fromCore, .toCore, .pairFromCore, .pairToCore: "VMOV"
        case .compare(.quiet, _, _), .compareZero(.quiet, _): "VCMP"
        case .compare(.signaling, _, _), .compareZero(.signaling, _): "VCMPE"
        case .toInteger(_, _, _, .current): "VCVTR"
        case .toInteger(_, _, _, .towardsZero), .fromInteger, .toFixed, .fromFixed: "VCVT"
        case .toHalf(_, _, .lower), .fromHalf(_, _, .lower): "VCVTB"
        case .toHalf(_, _, .upper), .fromHalf(_, _, .upper): "VCVTT"
        case .readStatus: "VMRS"
        case .writeStatus: "VMSR"
        case .access(let access): access.mnemonic
        }
    }
}

extension FloatInstruction.Access {
    /// One register at an offset from a base that stays, or a row of them.
    fileprivate var mnemonic: String {
        let isRow = count > 2 || writeback != 0
        return switch direction {
        case .load: isRow ? "VLDM" : "VLDR"
        case .store: isRow ? "VSTM" : "VSTR"
        }
    }
}

extension FloatInstruction.Operation {
    fileprivate var mnemonic: String {
        switch self {
        case .add: "VADD"
        case .subtract: "VSUB"
        case .multiply: "VMUL"
        case .multiplyNegated: "VNMUL"
        case .divide: "VDIV"
        case .multiplyThenAdd: "VMLA"
        case .multiplyThenSubtract: "VMLS"
        case .negatedMultiplyThenAdd: "VNMLA"
        case .negatedMultiplyThenSubtract: "VNMLS"
        case .fusedAdd: "VFMA"
        case .fusedSubtract: "VFMS"
        case .negatedFusedAdd: "VFNMA"
        case .negatedFusedSubtract: "VFNMS"
        }
    }
}
