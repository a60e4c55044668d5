/// What somebody else wrote, such as a peer or a bus, as a line that a log and a terminal show and do not obey.
///
/// The one place that says what is cleaned. Each of these becomes U+FFFD: control characters, among them escapes and all line
/// breaks, and those that turn the direction of what is printed after them.
package struct PlainLine: Hashable, Sendable {
    /// The line.
    package let text: String

    /// The line that `raw` is.
    ///
    /// - Parameter limit: the most scalars of it; a longer one is cut, and ends with an ellipsis.
    package init(_ raw: some StringProtocol, limit: Int = 1_000) {
        // Most are of these characters alone.
        if raw.utf8.count <= limit, raw.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            text = String(raw)
            return
        }
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in raw.unicodeScalars {
            if count == limit {
                scalars.append("\u{2026}")
                break
            }
            scalars.append(PlainLine.isPlain(scalar) ? scalar : "\u{FFFD}")
            count += 1
        }
        text = String(scalars)
    }

    /// A text of this program's own with lines, columns and others' words in it: each line cleaned, as long as it is.
    package static func lines(_ raw: String) -> String {
        String(
            String.UnicodeScalarView(
                raw.unicodeScalars.map { $0 == "\n" || $0 == "\t" || isPlain($0) ? $0 : "\u{FFFD}" }))
    }

    /// Whether a scalar is shown, or acts on its neighbours alone, as the joiners of emoji do.
    package static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Embeddings, overrides and isolates act on whatever follows; a byte order mark is no part of what somebody wrote.
        case .format:
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                && scalar != "\u{FEFF}"
        default: true
        }
    }
}

extension PlainLine: CustomStringConvertible {
    package var description: String { text }
}
