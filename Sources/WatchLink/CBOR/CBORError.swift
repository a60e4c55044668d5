/// Why bytes could not be read as CBOR, or a value not be written. The only error type of this module.
public enum CBORError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The bytes end inside an item, or a count promises more items than bytes are left.
    case truncated
    /// The bytes are not well-formed CBOR, text is not UTF-8, a map has a key twice, or a required key is missing.
    case malformed
    /// Items are nested deeper than the reader's limit.
    case tooDeep
    /// A number, text or count is larger than the caller accepts.
    case tooLong
    /// The next item is of another kind than the caller expects.
    case unexpectedKind
    /// The buffer has no room for the item. Nothing of the item has been written.
    case outOfSpace
}
