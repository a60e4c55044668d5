/// Text from another device or program, made safe for one line of a log or a terminal. U+FFFD replaces control
/// characters (such as ESC and line feed), line separators, byte order marks, and characters that change the direction
/// of the text after them.
package struct SanitizedLine: Hashable, Sendable {
    package let text: String

    /// - Parameter limit: the maximum number of Unicode scalars. A longer text is cut there, and an ellipsis is added.
    package init(_ raw: some StringProtocol, limit: Int = 1_000) {
        // A fast path for printable ASCII, which most texts are.
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
            scalars.append(SanitizedLine.isPlain(scalar) ? scalar : "\u{FFFD}")
            count += 1
        }
        text = String(scalars)
    }

    /// Replaces the same characters as `init`, except line feeds and tabs. Does not cut the text.
    package static func lines(_ raw: String) -> String {
        String(
            String.UnicodeScalarView(
                raw.unicodeScalars.map { $0 == "\n" || $0 == "\t" || isPlain($0) ? $0 : "\u{FFFD}" }))
    }

    /// True if `SanitizedLine` keeps the scalar. It keeps the joiners of emoji, although they are invisible.
    package static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Embeddings, overrides and isolates change the direction of all that follows. A byte order mark is no part of the
        // text.
        case .format:
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                && scalar != "\u{FEFF}"
        default: true
        }
    }
}

extension SanitizedLine: CustomStringConvertible {
    package var description: String { text }
}

/// A number with its noun: `1 message`, `2 messages`, `1 entry`, `0 entries`.
package struct CountText: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameter many: the plural noun. Nil means `one` followed by "s".
    package init(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) {
        description = "\(count) \(CountText.name(count, one, many))"
    }

    /// Returns only the noun, in the singular or the plural, for a caller that writes the number itself.
    package static func name(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? one : many ?? one + "s"
    }
}

/// A number in hexadecimal with leading zeros: sixteen digits for a 64-bit number.
package struct HexadecimalText: CustomStringConvertible {
    package let description: String

    package init<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
        let digits = String(number, radix: 16)
        description = String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }
}

extension String {
    /// Returns the text, cut to at most `count` characters. If the text is cut, the last of these characters is an
    /// ellipsis.
    package func shortened(to count: Int) -> String {
        self.count > count ? prefix(count - 1) + "…" : self
    }
}

package enum EditDistance {
    /// Returns the smallest number of changes that turn one text into the other. A change inserts, deletes or replaces
    /// a character, or swaps two neighbouring characters. This is the distance of F. J. Damerau (1964), restricted: no
    /// character is changed twice.
    package static func between(_ left: some Sequence<Character>, _ right: some Sequence<Character>) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var least = min(rows[i][j] + (left[i] == right[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
