/// Why bytes could not be read as CBOR, or a value could not be written as CBOR. The one error type of this module.
public enum CBORError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The bytes end inside an item, or a count promises more items than bytes are left.
    case truncated
    /// The bytes are not well-formed CBOR, text is not UTF-8, a map has a key twice, or a required key is missing.
    case malformed
    /// Items are nested deeper than the reader was asked to follow.
    case tooDeep
    /// A number, a text or a count is larger than the reader of it takes.
    case tooLong
    /// The next item is of another kind than the one that was asked for.
    case unexpectedKind
    /// The buffer has no room for the item. Nothing of the item has been written.
    case outOfSpace
}
