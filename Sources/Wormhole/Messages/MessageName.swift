/// The name that a message is passed under: 1 to 32 bytes of UTF-8.
///
/// Names are compared byte by byte. So `é` as one Unicode scalar and `é` as two are different names.
public struct MessageName: Hashable, Sendable, Comparable {
    /// The maximum length of a name in bytes of UTF-8.
    public static let longest = 32

    /// The name as text.
    public let text: String

    /// Makes a name from a text. Throws `.invalidName` if the text is empty or longer than 32 bytes of UTF-8.
    public init(_ text: String) throws(WormholeError) {
        guard (1...MessageName.longest).contains(text.utf8.count) else { throw .invalidName(text) }
        self.text = text
    }

    var encodedSize: Int { text.utf8.count + (text.utf8.count < 24 ? 1 : 2) }

    /// Whether the name begins with `prefix`, which may be empty.
    public func hasPrefix(_ prefix: String) -> Bool {
        text.utf8.starts(with: prefix.utf8)
    }

    /// Whether both names have the same bytes.
    public static func == (left: MessageName, right: MessageName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Whether `left` precedes `right`, compared byte by byte.
    public static func < (left: MessageName, right: MessageName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the bytes of the name to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension MessageName: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Makes a name from a literal. Traps if the text is empty or longer than 32 bytes of UTF-8.
    public init(stringLiteral text: String) {
        precondition((1...MessageName.longest).contains(text.utf8.count), "a name has 1 to 32 bytes: \(text)")
        self.text = text
    }

    /// The name as text.
    public var description: String { text }
}

extension MessageName: Codable {
    /// Decodes a name from a text. Throws `.invalidName` if the text is empty or longer than 32 bytes of UTF-8.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the name as a text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
