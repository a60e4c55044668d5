import HostSystem

/// The name that a sender proposes for a file at the receiver: 1 to 255 bytes of UTF-8 that do not begin with a dot.
///
/// A label has no `/`, control character, line separator or byte order mark, and no character that changes the direction of
/// the text after it. So a label cannot lead out of the receiver's directory, hide the file, or use reversed text to look
/// like another name.
public struct FileLabel: Hashable, Sendable {
    /// The maximum length of a label in bytes of UTF-8. Linux file systems have the same limit for a file name.
    public static let longest = 255

    /// The label as text.
    public let text: String

    /// Makes a label from a text. Throws `.invalidLabel` if the text is not a valid label.
    public init(_ text: String) throws(WormholeError) {
        guard FileLabel.isFileName(text) else { throw .invalidLabel(text) }
        self.text = text
    }

    private static func isFileName(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && SanitizedLine(text).text == text
    }

    /// Returns the file name to try in an attempt, counted from 1. The names for the label `photo.png` are `photo.png`,
    /// `photo-2.png` and `photo-3.png`. If a name would have more than 255 bytes, the part before the number is cut.
    func name(_ attempt: Int) -> String {
        guard attempt > 1 else { return text }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        // A suffix of more than 16 bytes, with its dot, is no file extension, so the number comes after it.
        let suffix = text[dot...].utf8.count <= 16 ? text[dot...] : ""
        let ending = "-\(attempt)" + suffix
        var stem = text.dropLast(suffix.count)
        while stem.utf8.count + ending.utf8.count > FileLabel.longest { stem = stem.dropLast() }
        return stem + ending
    }
}

extension FileLabel: RawRepresentable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The label as text.
    public var rawValue: String { text }

    /// Makes a label from a text; nil if the text is not a valid label.
    public init?(rawValue: String) {
        guard let label = try? FileLabel(rawValue) else { return nil }
        self = label
    }

    /// Makes a label from a literal. Traps if the text is not a valid label.
    public init(stringLiteral text: String) {
        precondition(FileLabel.isFileName(text), "no file name: \(text)")
        self.text = text
    }

    /// The label as text.
    public var description: String { text }
}
