import HostSystem

/// A title that the store accepts: valid UTF-8, on one line, without control characters, not empty.
///
/// All titles have this type, so a stored title cannot move a terminal's cursor or break a line of an export.
public struct CleanTitle: Equatable, Sendable {
    /// The title.
    public let text: String

    /// Cleans `raw`. Line breaks, tabs and runs of white space become one space, and the ends are trimmed. Control characters and
    /// characters that override the text direction are removed.
    ///
    /// - Throws: `.emptyTitle` if no text is left.
    public init(_ raw: String) throws(PhoneError) {
        var scalars = String.UnicodeScalarView()
        var hasGap = false
        for scalar in raw.unicodeScalars {
            if CleanTitle.isSpace(scalar) {
                hasGap = !scalars.isEmpty
            } else if SanitizedLine.isPlain(scalar) {
                if hasGap { scalars.append(" ") }
                hasGap = false
                scalars.append(scalar)
            }
        }
        guard !scalars.isEmpty else { throw .emptyTitle }
        text = String(scalars)
    }

    /// Whether it is white space or a line break. A no-break space stays.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: SanitizedLine.isPlain(scalar) && scalar.properties.isWhitespace && scalar.value != 0xA0
        }
    }
}
