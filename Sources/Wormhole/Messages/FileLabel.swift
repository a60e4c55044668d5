import HostSystem

/// What a file is called for whoever receives it: a name in a directory and never a path.
///
/// It has 1 to 255 bytes of UTF-8, does not begin with a dot, and has no `/`, no NUL or other control character, and none that turns
/// the direction of text. Whoever receives a file refuses any other label, so no label leaves the directory, hides a file in it, or
/// shows itself as another.
public struct FileLabel: Hashable, Sendable {
    /// The most bytes of UTF-8 that a label has: what file systems take.
    public static let longest = 255

    /// The label as text.
    public let text: String

    /// A label from text.
    ///
    /// - Throws: `WormholeError.invalidLabel` where it is no file name.
    public init(_ text: String) throws(WormholeError) {
        guard FileLabel.isFileName(text) else { throw .invalidLabel(text) }
        self.text = text
    }

    private static func isFileName(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && !text.utf8.contains(UInt8(ascii: "/")) && SanitizedLine(text).text == text
    }

    /// The name for the file where others have taken the label: `photo.png`, then `photo-2.png`, `photo-3.png`. What is too long is cut
    /// before the number.
    func name(_ attempt: Int) -> String {
        guard attempt > 1 else { return text }
        let dot = text.lastIndex(of: ".") ?? text.endIndex
        // A suffix is short; where it is not, the dot belongs to the name.
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

    /// Nil for what is no file name.
    public init?(rawValue: String) {
        guard let label = try? FileLabel(rawValue) else { return nil }
        self = label
    }

    /// A label written in the program. One that is no file name is a programming error and traps.
    public init(stringLiteral text: String) {
        precondition(FileLabel.isFileName(text), "no file name: \(text)")
        self.text = text
    }

    /// The label as text.
    public var description: String { text }
}
