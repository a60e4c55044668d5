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
