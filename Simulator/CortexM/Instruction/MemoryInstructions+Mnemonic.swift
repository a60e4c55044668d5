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
