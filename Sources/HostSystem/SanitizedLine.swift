/// What somebody else wrote, such as a peer or a bus, as a line that a log and a terminal show and do not obey.
///
/// The one place that says what is cleaned. Each of these becomes U+FFFD: control characters, among them escapes and all line
/// breaks, and those that turn the direction of what is printed after them.
package struct SanitizedLine: Hashable, Sendable {
    package let text: String

    /// - Parameter limit: the most scalars of the line; a longer one is cut, and ends with an ellipsis.
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
            scalars.append(SanitizedLine.isPlain(scalar) ? scalar : "\u{FFFD}")
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

extension SanitizedLine: CustomStringConvertible {
    package var description: String { text }
}

/// A number of things in a sentence: `1 message`, `2 messages`, `1 entry`, `0 entries`.
package struct CountText: Equatable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - count: how many there are.
    ///   - one: what one of them is called, with an adjective if it has one: `more line`.
    ///   - many: what others are called, if that is not `one` with an s.
    package init(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) {
        description = "\(count) \(CountText.name(count, one, many))"
    }

    /// The noun alone, in the number that fits `count`: for a line that writes the number in its own way.
    package static func name(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        count == 1 ? one : many ?? one + "s"
    }
}

/// A number in hexadecimal digits, as many as its type has: sixteen for 64 bits.
package struct HexadecimalText: CustomStringConvertible {
    package let description: String

    package init<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
        let digits = String(number, radix: 16)
        description = String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
    }
}

extension String {
    /// The first `count` characters with an ellipsis, or the whole if it is not longer.
    package func shortened(to count: Int) -> String {
        self.count > count ? prefix(count - 1) + "…" : self
    }
}

package enum EditDistance {
    /// How many letters have to be inserted, left out, replaced, or exchanged with the next one: the distance of F. J. Damerau, 1964,
    /// restricted to changes that do not overlap.
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
