import HostSystem

/// The name of a file at its receiver: 1 to 255 bytes of UTF-8 that do not begin with a dot. It has no `/`, no control
/// character, and no character that changes the text direction. So no label can leave the directory, hide a file or pose as
/// another.
public struct FileLabel: Hashable, Sendable {
    /// The most bytes of UTF-8, which is the limit of file systems.
    public static let longest = 255

    /// The label as text.
    public let text: String

    /// A label from text. Throws `.invalidLabel`.
    public init(_ text: String) throws(WormholeError) {
        guard FileLabel.isFileName(text) else { throw .invalidLabel(text) }
        self.text = text
    }

    private static func isFileName(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && SanitizedLine(text).text == text
    }

    /// The name to try in an attempt: the label first, then `photo-2.png`, `photo-3.png`. A long name is cut before the number.
    func name(_ attempt: Int) -> String {
        guard attempt > 1 else { return text }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        // An ending of more than 16 bytes counts as a part of the name.
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

    /// Nil if the text is not a valid label.
    public init?(rawValue: String) {
        guard let label = try? FileLabel(rawValue) else { return nil }
        self = label
    }

    /// A label written in the program. It traps if the text is not a valid label.
    public init(stringLiteral text: String) {
        precondition(FileLabel.isFileName(text), "no file name: \(text)")
        self.text = text
    }

    /// The label as text.
    public var description: String { text }
}
