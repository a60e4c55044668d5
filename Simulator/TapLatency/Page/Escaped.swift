/// Text of any origin, escaped for HTML and XML.
struct Escaped: Equatable, Sendable {
    let text: String

    /// `text` as it stands between tags.
    init(text: String) {
        self.init(text, quotes: [:])
    }

    /// `text` as it stands between the quotes of an attribute.
    init(attribute text: String) {
        self.init(text, quotes: ["\"": "&quot;", "'": "&#39;"])
    }

    private init(_ source: String, quotes: [Unicode.Scalar: String]) {
        var written = ""
        for scalar in source.unicodeScalars {
            switch scalar {
            case "&": written += "&amp;"
            case "<": written += "&lt;"
            case ">": written += "&gt;"
            default: written += quotes[scalar] ?? String(Escaped.permitted(scalar))
            }
        }
        text = written
    }

    /// The character itself, or the replacement character for one that XML does not have (XML 1.0, section 2.2: Char).
    private static func permitted(_ scalar: Unicode.Scalar) -> Character {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xFFFD, 0x10000...0x10FFFF: Character(scalar)
        default: "\u{FFFD}"
        }
    }
}
