/// The names of tables in a TOML file, which the parser does not check: it ends the process where a bracket at the beginning
/// of a line is followed by what can be no name (TOML++ 3.0, an assertion in `parse_key`).
enum TableNames {
    /// Where the reading of a line is.
    private enum Place {
        case lineStart
        /// Behind this number of brackets at the start of a line.
        case brackets(Int)
        case rest
    }

    /// The line of the first bracket without a name, from 1; nil where all have one.
    static func firstMissing(in text: String) -> Int? {
        var (line, place) = (1, Place.lineStart)
        for scalar in text.unicodeScalars {
            defer { if scalar == "\n" { line += 1 } }
            switch (place, scalar) {
            case (_, "\n"), (_, "\r"), (_, "\u{B}"), (_, "\u{C}"), (_, "\u{85}"), (_, "\u{2028}"), (_, "\u{2029}"):
                // Also within an array of several lines, which no profile has.
                if case .brackets = place { return line }
                place = .lineStart
            case (.lineStart, "["): place = .brackets(1)
            case (.brackets(1), "["): place = .brackets(2)
            case (.lineStart, _): if !isSpace(scalar) { place = .rest }
            case (.brackets, _):
                if isSpace(scalar) { continue }
                guard isName(scalar) || scalar == "]" else { return line }
                place = .rest
            case (.rest, _): break
            }
        }
        return nil
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }

    /// Whether a name may begin with it.
    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
        case _: false
        }
    }
}
