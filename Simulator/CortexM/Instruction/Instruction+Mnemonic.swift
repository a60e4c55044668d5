/// The names of instructions in the unified assembler language (A7.7), in capitals, without what conditions and widths add.
extension Instruction {
    /// Its name; nil for one that is none.
    var mnemonic: String? {
        switch self {
        case .arithmetic(let arithmetic): arithmetic.mnemonic
        case .shift(let shift): shift.kind.mnemonic
        case .moveHalf(_, _, .lower): "MOVW"
        case .moveHalf(_, _, .upper): "MOVT"
        case .address: "ADR"
        case .access(let access): access.kind.mnemonic
        case .dual(let access): access.direction == .load ? "LDRD" : "STRD"
        case .multiple(let access): access.mnemonic
        case .exclusive(let access): access.mnemonic
        case .branch(let branch): branch.mnemonic
        case .multiply(let multiply): multiply.operation.mnemonic
        case .divide(let division): division.signedness == .signed ? "SDIV" : "UDIV"
        case .bitField(let field): field.operation.mnemonic
        case .extend(let extension_): extension_.mnemonic
        case .bits(let operation, _, _): operation.mnemonic
        case .saturate(let saturation):
            (saturation.signedness == .signed ? "SSAT" : "USAT") + (saturation.lanes == .halfwords ? "16" : "")
        case .saturatingAdd(let addition): addition.operation.mnemonic
        case .pack(let pack): pack.kept == .lower ? "PKHBT" : "PKHTB"
        case .parallel(let parallel): parallel.mnemonic
        case .select: "SEL"
        case .absoluteDifferences(let differences): differences.addend == nil ? "USAD8" : "USADA8"
        case .float(let instruction): instruction.mnemonic
        case .system(let system): system.mnemonic
        case .undefined: nil
        }
    }
}

extension Arithmetic {
    /// A move of a register that is shifted is called by its shift.
    fileprivate var mnemonic: String {
        switch operation {
        case .and: "AND"
        case .clear: "BIC"
        case .or: "ORR"
        case .orNot: "ORN"
        case .exclusiveOr: "EOR"
        case .move:
            if case .register(_, let shift) = second, shift != .none { shift.kind.mnemonic } else { "MOV" }
        case .moveNot: "MVN"
        case .add: "ADD"
        case .addCarry: "ADC"
        case .subtractCarry: "SBC"
        case .subtract: "SUB"
        case .reverseSubtract: "RSB"
        case .test: "TST"
        case .testEqual: "TEQ"
        case .compareNegative: "CMN"
        case .compare: "CMP"
        }
    }
}

extension ShiftKind {
    fileprivate var mnemonic: String {
        switch self {
        case .left: "LSL"
        case .logicalRight: "LSR"
        case .arithmeticRight: "ASR"
        case .rotateRight: "ROR"
        case .rotateRightExtended: "RRX"
        }
    }
}

extension BitField.Operation {
    fileprivate var mnemonic: String {
        switch self {
        case .insert: "BFI"
        case .clear: "BFC"
        case .extractUnsigned: "UBFX"
        case .extractSigned: "SBFX"
        }
    }
}

extension Extension {
    fileprivate var mnemonic: String {
        let added = addend == nil ? "" : "A"
        let sign = signedness == .signed ? "S" : "U"
        return switch part {
        case .byte: "\(sign)XT\(added)B"
        case .halfword: "\(sign)XT\(added)H"
        case .bytePair: "\(sign)XT\(added)B16"
        }
    }
}

extension BitOperation {
    fileprivate var mnemonic: String {
        switch self {
        case .countLeadingZeros: "CLZ"
        case .reverseBits: "RBIT"
        case .reverseBytes: "REV"
        case .reverseBytesOfHalfwords: "REV16"
        case .reverseSignedHalfword: "REVSH"
        }
    }
}

extension SaturatingAddition.Operation {
    fileprivate var mnemonic: String {
        switch self {
        case .add: "QADD"
        case .subtract: "QSUB"
        case .doubleAdd: "QDADD"
        case .doubleSubtract: "QDSUB"
        }
    }
}

extension ParallelArithmetic {
    fileprivate var mnemonic: String {
        let prefix =
            switch (result, signedness) {
            case (.wrapping, .signed): "S"
            case (.wrapping, .unsigned): "U"
            case (.saturating, .signed): "Q"
            case (.saturating, .unsigned): "UQ"
            case (.halving, .signed): "SH"
            case (.halving, .unsigned): "UH"
            }
        return switch operation {
        case .add16: "\(prefix)ADD16"
        case .addSubtractExchange: "\(prefix)ASX"
        case .subtractAddExchange: "\(prefix)SAX"
        case .subtract16: "\(prefix)SUB16"
        case .add8: "\(prefix)ADD8"
        case .subtract8: "\(prefix)SUB8"
        }
    }
}
