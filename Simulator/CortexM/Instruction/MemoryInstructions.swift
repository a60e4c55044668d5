/// How the address of an access comes about from its base register.
enum Indexing: UInt8, Sendable {
    /// The base with the offset; the base stays.
    case offset
    /// The base with the offset, which becomes the base.
    case before
    /// The base, which then becomes the base with the offset.
    case after
}

/// Which way a value goes between registers and memory.
enum TransferDirection: UInt8, Sendable {
    case load, store
}

/// A load or a store of one register (A5.3.7 to A5.3.10). With register 15 as its base the address is relative to the program
/// counter, aligned to a word.
struct MemoryAccess: Equatable, Sendable {
    enum Kind: UInt8, Sendable {
        case loadWord, loadHalfword, loadByte, loadSignedHalfword, loadSignedByte
        case storeWord, storeHalfword, storeByte
    }

    enum Offset: Equatable, Sendable {
        case constant(Int32)
        /// A register, shifted left by 0 to 3.
        case register(Register, UInt8)
    }

    var kind: Kind
    var register: Register
    var base: Register
    var offset: Offset
    var indexing: Indexing
}

/// LDRD and STRD.
struct DualAccess: Equatable, Sendable {
    var direction: TransferDirection
    var first: Register
    var second: Register
    var base: Register
    var offset: Int32
    var indexing: Indexing
}

/// LDM, STM, PUSH and POP.
struct MultipleAccess: Equatable, Sendable {
    enum Order: Sendable {
        /// From the base upwards.
        case after
        /// Up to below the base.
        case before
    }

    enum Writeback: Sendable {
        case none
        /// The base becomes the address behind the last register, or below the first.
        case base
    }

    var direction: TransferDirection
    var base: Register
    /// A bit for each register.
    var registers: UInt16
    var order: Order
    var writeback: Writeback
}

/// LDREX, STREX, their kin for bytes and halfwords, and CLREX.
enum ExclusiveAccess: Equatable, Sendable {
    case load(MemoryAccess.Kind, register: Register, base: Register, offset: Int32)
    case store(MemoryAccess.Kind, status: Register, register: Register, base: Register, offset: Int32)
    case clear
}
