extension CortexM4 {
    /// The name of the instruction at an address, without what conditions and widths add; UDF where there is none.
    package func mnemonic(at address: UInt32) -> String {
        guard let entry = try? fetch(program, address) else { return "UDF" }
        if case .system(.barrier) = entry.instruction, let second = try? memory.load(address &+ 2, as: UInt16.self) {
            switch second & 0xF0 {
            case 0x50: return "DMB"
            case 0x60: return "ISB"
            case _: return "DSB"
            }
        }
        return entry.instruction.mnemonic ?? "UDF"
    }
}

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

extension MemoryAccess.Kind {
    /// The name of a load or a store in the assembler language (A7.7).
    var mnemonic: String {
        switch self {
        case .loadWord: "LDR"
        case .loadHalfword: "LDRH"
        case .loadByte: "LDRB"
        case .loadSignedHalfword: "LDRSH"
        case .loadSignedByte: "LDRSB"
        case .storeWord: "STR"
        case .storeHalfword: "STRH"
        case .storeByte: "STRB"
        }
    }

    /// What the size of an exclusive access adds to its name.
    fileprivate var size: String {
        switch self {
        case .loadWord, .storeWord: ""
        case .loadHalfword, .loadSignedHalfword, .storeHalfword: "H"
        case .loadByte, .loadSignedByte, .storeByte: "B"
        }
    }
}

extension MultipleAccess {
    /// The name in the assembler language (A7.7): on the stack it is a PUSH or a POP.
    var mnemonic: String {
        switch (direction, order, base, writeback) {
        case (.load, .after, 13, .base): "POP"
        case (.store, .before, 13, .base): "PUSH"
        case (.load, .after, _, _): "LDM"
        case (.load, .before, _, _): "LDMDB"
        case (.store, .after, _, _): "STM"
        case (.store, .before, _, _): "STMDB"
        }
    }
}

extension ExclusiveAccess {
    /// The name in the assembler language (A7.7).
    var mnemonic: String {
        switch self {
        case .load(let kind, _, _, _): "LDREX\(kind.size)"
        case .store(let kind, _, _, _, _): "STREX\(kind.size)"
        case .clear: "CLREX"
        }
    }
}

extension Branch {
    /// The name in the assembler language (A7.7).
    var mnemonic: String {
        switch self {
        case .relative: "B"
        case .link: "BL"
        case .register: "BX"
        case .linkRegister: "BLX"
        case .whenZero: "CBZ"
        case .whenNonzero: "CBNZ"
        case .table(_, _, .lower): "TBB"
        case .table(_, _, .upper): "TBH"
        }
    }
}

extension Multiply.Operation {
    /// The name in the assembler language (A7.7).
    var mnemonic: String {
        switch self {
        case .word: "MUL"
        case .wordAdd: "MLA"
        case .wordSubtract: "MLS"
        case .longSigned: "SMULL"
        case .longUnsigned: "UMULL"
        case .longSignedAdd: "SMLAL"
        case .longUnsignedAdd: "UMLAL"
        case .longUnsignedAddBoth: "UMAAL"
        case .halfwords(let halves): "SMUL\(halves.letters)"
        case .halfwordsAdd(let halves): "SMLA\(halves.letters)"
        case .halfwordsLongAdd(let halves): "SMLAL\(halves.letters)"
        case .wordByHalfword(let half): "SMULW\(half.letter)"
        case .wordByHalfwordAdd(let half): "SMLAW\(half.letter)"
        case .dual(let pair): (pair.joining == .sum ? "SMUAD" : "SMUSD") + pair.order.letters
        case .dualAdd(let pair): (pair.joining == .sum ? "SMLAD" : "SMLSD") + pair.order.letters
        case .dualLongAdd(let pair): (pair.joining == .sum ? "SMLALD" : "SMLSLD") + pair.order.letters
        case .highWord(let rounding): "SMMUL\(rounding.letters)"
        case .highWordAdd(let rounding): "SMMLA\(rounding.letters)"
        case .highWordSubtract(let rounding): "SMMLS\(rounding.letters)"
        }
    }
}

extension Half {
    fileprivate var letter: String { self == .lower ? "B" : "T" }
}

extension Multiply.Halves {
    fileprivate var letters: String { first.letter + second.letter }
}

extension Multiply.Pair.Order {
    fileprivate var letters: String { self == .straight ? "" : "X" }
}

extension Multiply.Rounding {
    fileprivate var letters: String { self == .cut ? "" : "R" }
}

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

extension SystemInstruction {
    /// The name in the assembler language (A7.7); DSB for each barrier: `CortexM4.mnemonic` tells them apart.
    var mnemonic: String {
        switch self {
        case .none: "NOP"
        case .waitForInterrupt: "WFI"
        case .waitForEvent: "WFE"
        case .sendEvent: "SEV"
        case .barrier: "DSB"
        case .ifThen: "IT"
        case .breakpoint: "BKPT"
        case .supervisorCall: "SVC"
        case .read: "MRS"
        case .write: "MSR"
        case .mask(.on, _): "CPSID"
        case .mask(.off, _): "CPSIE"
        }
    }
}
