import HostSystem

/// A title of one line: valid UTF-8, not empty, and without control characters.
///
/// The phone stores only titles that were cleaned like this. Printing a stored title therefore cannot move a terminal's cursor,
/// and exporting it cannot add a line.
public struct CleanTitle: Equatable, Sendable {
    /// The cleaned text.
    public let text: String

    /// Cleans a title. Replaces each run of white space, tabs and line breaks with one space, and trims both ends. Removes
    /// control characters, and characters that override the text direction.
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

    /// Whether a scalar counts as white space. A no-break space does not.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: SanitizedLine.isPlain(scalar) && scalar.properties.isWhitespace && scalar.value != 0xA0
        }
    }
}
