/// The kind of a data item, as its first byte says, with the names of RFC 8949 section 3.
///
/// The `indefinite` kinds begin with `beginIndefinite()` and end with `takeBreak()`.
public enum CBORKind: UInt8, Sendable, BitwiseCopyable {
    /// An integer from 0 to 2^64 - 1 (major type 0).
    case unsigned
    /// An integer from -2^64 to -1 (major type 1).
    case negative
    /// A byte string of known length (major type 2).
    case bytes
    /// A text string of known length (major type 3).
    case text
    /// An array of known count (major type 4).
    case array
    /// A map of known count (major type 5).
    case map
    /// A tag, whose content is the item that follows (major type 6).
    case tag
    case boolean
    case null
    case undefined
    /// A simple value without a meaning in RFC 8949.
    case simple
    /// A floating-point number of 16, 32 or 64 bits.
    case float
    /// A byte string in chunks.
    case indefiniteBytes
    /// A text string in chunks.
    case indefiniteText
    /// An array that a break ends.
    case indefiniteArray
    /// A map that a break ends.
    case indefiniteMap
    /// The break that ends an item of indefinite length.
    case breakStop
}
