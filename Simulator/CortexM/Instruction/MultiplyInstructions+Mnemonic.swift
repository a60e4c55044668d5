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
