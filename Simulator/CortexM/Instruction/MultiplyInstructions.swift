/// The multiplications (A5.3.16, A5.3.17).
struct Multiply: Equatable, Sendable {
    /// Which halfword of an operand takes part.
    struct Halves: Equatable, Sendable {
        var first: Half
        var second: Half
    }

    /// Two products of halfwords.
    struct Pair: Equatable, Sendable {
        enum Joining: UInt8, Sendable {
            case sum, difference
        }

        enum Order: UInt8, Sendable {
            case straight
            /// The halfwords of the second operand exchanged.
            case crossed
        }

        var joining: Joining
        var order: Order
    }

    /// What becomes of the lower 32 bits of a product.
    enum Rounding: UInt8, Sendable {
        case cut, nearest
    }

    enum Operation: Equatable, Sendable {
        /// MUL, MLA and MLS.
        case word, wordAdd, wordSubtract
        /// SMULL, UMULL, SMLAL, UMLAL, UMAAL.
        case longSigned, longUnsigned, longSignedAdd, longUnsignedAdd, longUnsignedAddBoth
        /// SMULxy and SMLAxy.
        case halfwords(Halves), halfwordsAdd(Halves)
        /// SMLALxy.
        case halfwordsLongAdd(Halves)
        /// SMULWy and SMLAWy.
        case wordByHalfword(Half), wordByHalfwordAdd(Half)
        /// SMUAD and SMUSD, SMLAD and SMLSD, SMLALD and SMLSLD.
        case dual(Pair), dualAdd(Pair), dualLongAdd(Pair)
        /// SMMUL, SMMLA and SMMLS.
        case highWord(Rounding), highWordAdd(Rounding), highWordSubtract(Rounding)
    }

    var operation: Operation
    /// The destination, or the upper word of a long one.
    var destination: Register
    /// The addend, or the lower word of a long destination.
    var addend: Register
    var first: Register
    var second: Register
    /// MUL of 16 bits alone changes flags.
    var flags: FlagSetting
}

/// SDIV and UDIV.
struct Division: Equatable, Sendable {
    var signedness: Signedness
    var destination: Register
    var dividend: Register
    var divisor: Register
}
