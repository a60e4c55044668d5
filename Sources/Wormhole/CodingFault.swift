/// Why a value could not be turned into CBOR, or not back from it.
public enum CodingFault: Hashable, Sendable {
    /// The bytes are not one well-formed data item, or not within the limits; the text says how.
    case malformed(String)
    /// Values are nested deeper than this.
    case tooDeep(limit: Int)
    /// The encoded value has more bytes than this.
    case tooLarge(limit: Int)
    /// At the path of keys there is a value of another type than was asked for; the text says which.
    case typeMismatch(path: String, String)
    /// At the path of keys there is nothing.
    case missing(path: String)
    /// The type's own `encode(to:)` or `init(from:)` failed; the text says how.
    case refusedByType(path: String, String)
}

extension CodingFault: CustomStringConvertible {
    /// One line for a person to read.
    public var description: String {
        switch self {
        case .malformed(let text): "not a CBOR data item: \(text)"
        case .tooDeep(let limit): "values nested deeper than \(limit)"
        case .tooLarge(let limit): "a value of more than \(limit) encoded bytes"
        case .typeMismatch(let path, let text): "at \(path.isEmpty ? "the top" : path): \(text)"
        case .missing(let path): "nothing at \(path.isEmpty ? "the top" : path)"
        case .refusedByType(let path, let text): "at \(path.isEmpty ? "the top" : path): \(text)"
        }
    }
}
