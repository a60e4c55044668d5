extension CortexM4 {
    /// The name of the instruction at an address, without what conditions and widths add; UDF if there is none.
    package func mnemonic(at address: UInt32) -> String {
        guard let entry = try? fetch(program, address) else { return "UDF" }
        if case .system(.barrier) = entry.instruction, let second = try? memory.load(address &+ 2, as: UInt16.self) {
            switch second & 0xF0 {
            case 0x50: return "DMB"
            case 0x60: return "ISB"
            case _: return "DSB"
            }
        }
        return entry.instruction.mnemonic
    }
}

extension Instruction {
    fileprivate var mnemonic: String {
        switch self {
        case .arithmetic(let arithmetic): arithmetic.mnemonic
        case .shift(let shift): shift.kind.rawValue
        case .moveHalf(_, _, .lower): "MOVW"
        case .moveHalf(_, _, .upper): "MOVT"
        case .address: "ADR"
        case .access(let access): access.kind.rawValue
        case .dual(let access): access.direction == .load ? "LDRD" : "STRD"
        case .multiple(let access): access.mnemonic
        case .exclusive(let access): access.mnemonic
        case .branch(let branch): branch.mnemonic
        case .multiply(let multiply): multiply.operation.mnemonic
        case .divide(let division): division.signedness == .signed ? "SDIV" : "UDIV"
        case .bitField(let field): field.operation.rawValue
        case .extend(let extension_): extension_.mnemonic
        case .bits(let operation, _, _): operation.rawValue
        case .saturate(let saturation):
            (saturation.signedness == .signed ? "SSAT" : "USAT") + (saturation.lanes == .halfwords ? "16" : "")
        case .saturatingAdd(let addition): addition.operation.rawValue
        case .pack(let pack): pack.kept == .lower ? "PKHBT" : "PKHTB"
        case .parallel(let parallel): parallel.prefix + parallel.operation.rawValue
        case .select: "SEL"
        case .absoluteDifferences(let differences): differences.addend == nil ? "USAD8" : "USADA8"
        case .float(let instruction): instruction.mnemonic
        case .system(let system): system.mnemonic
        case .undefined: "UDF"
        }
    }
}

extension Arithmetic {
    /// A move of a shifted register has the name of its shift.
    fileprivate var mnemonic: String {
        if operation == .move, case .register(_, let shift) = second, shift != .none { return shift.kind.rawValue }
        return operation.rawValue
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

extension ParallelArithmetic {
    fileprivate var prefix: String {
        switch (result, signedness) {
        case (.wrapping, .signed): "S"
        case (.wrapping, .unsigned): "U"
        case (.saturating, .signed): "Q"
        case (.saturating, .unsigned): "UQ"
        case (.halving, .signed): "SH"
        case (.halving, .unsigned): "UH"
        }
    }
}

extension MultipleAccess {
    /// On the stack it is a PUSH or a POP.
    fileprivate var mnemonic: String {
        switch (direction, order, base, writesBack) {
        case (.load, .after, 13, true): "POP"
        case (.store, .before, 13, true): "PUSH"
        case (.load, .after, _, _): "LDM"
        case (.load, .before, _, _): "LDMDB"
        case (.store, .after, _, _): "STM"
        case (.store, .before, _, _): "STMDB"
        }
    }
}

extension ExclusiveAccess {
    fileprivate var mnemonic: String {
        switch self {
        case .load(let kind, _, _, _): "LDREX\(kind.rawValue.dropFirst(3))"
        case .store(let kind, _, _, _, _): "STREX\(kind.rawValue.dropFirst(3))"
        case .clear: "CLREX"
        }
    }
}

extension Branch {
    fileprivate var mnemonic: String {
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
    fileprivate var mnemonic: String {
        func letter(_ half: Half) -> String { half == .lower ? "B" : "T" }
        func letters(_ halves: Multiply.Halves) -> String { letter(halves.first) + letter(halves.second) }
        func name(_ pair: Multiply.Pair, _ sum: String, _ difference: String) -> String {
            (pair.isDifference ? difference : sum) + (pair.isCrossed ? "X" : "")
        }
        return switch self {
        case .word: "MUL"
        case .wordAdd: "MLA"
        case .wordSubtract: "MLS"
        case .longSigned: "SMULL"
        case .longUnsigned: "UMULL"
        case .longSignedAdd: "SMLAL"
        case .longUnsignedAdd: "UMLAL"
        case .longUnsignedAddBoth: "UMAAL"
        case .halfwords(let halves): "SMUL\(letters(halves))"
        case .halfwordsAdd(let halves): "SMLA\(letters(halves))"
        case .halfwordsLongAdd(let halves): "SMLAL\(letters(halves))"
        case .wordByHalfword(let half): "SMULW\(letter(half))"
        case .wordByHalfwordAdd(let half): "SMLAW\(letter(half))"
        case .dual(let pair): name(pair, "SMUAD", "SMUSD")
        case .dualAdd(let pair): name(pair, "SMLAD", "SMLSD")
        case .dualLongAdd(let pair): name(pair, "SMLALD", "SMLSLD")
        case .highWord(let isRounded): isRounded ? "SMMULR" : "SMMUL"
        case .highWordAdd(let isRounded): isRounded ? "SMMLAR" : "SMMLA"
        case .highWordSubtract(let isRounded): isRounded ? "SMMLSR" : "SMMLS"
        }
    }
}

extension FloatInstruction {
    fileprivate var mnemonic: String {
        switch self {
        case .arithmetic(let operation, _, _, _): operation.rawValue
        case .single(let operation, _, _): operation.rawValue
        case .constant, .fromCore, .toCore, .pairFromCore, .pairToCore: "VMOV"
        case .compare(let comparison, _, _), .compareZero(let comparison, _): comparison.rawValue
        case .toInteger(_, _, _, let rounding): rounding.rawValue
        case .fromInteger, .toFixed, .fromFixed: "VCVT"
        case .toHalf(_, _, .lower), .fromHalf(_, _, .lower): "VCVTB"
        case .toHalf(_, _, .upper), .fromHalf(_, _, .upper): "VCVTT"
        case .readStatus: "VMRS"
        case .writeStatus: "VMSR"
        case .access(let access): (access.direction == .load ? "VLD" : "VST") + (access.isRow ? "M" : "R")
        }
    }
}

extension FloatInstruction.Access {
    /// Whether it is none of one register at an offset from a base that stays.
    fileprivate var isRow: Bool { count > 2 || writeback != 0 }
}

extension SystemInstruction {
    /// DSB for each barrier: `CortexM4.mnemonic` tells them apart.
    fileprivate var mnemonic: String {
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
        case .mask: "CPSID"
        case .unmask: "CPSIE"
        }
    }
}
