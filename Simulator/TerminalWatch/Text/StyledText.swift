struct StyledText: Equatable {
    struct Part: Equatable {
        var text: String
        var style: TextStyle
    }

    var parts: [Part]

    init(_ parts: [Part]) {
        self.parts = parts
    }

    init(_ text: String, _ style: TextStyle = .plain) {
        parts = [Part(text: text, style: style)]
    }

    var columns: Int { parts.reduce(0) { $0 + TextPieces($1.text).columns } }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        StyledText(left.parts + right.parts)
    }
}

extension TextCanvas {
    /// Writes at most `limit` columns. A part without a background colour gets `background`.
    mutating func write(
        _ text: StyledText, at point: CellPoint, on background: TerminalColour? = nil, limit: Int = .max
    ) {
        var column = point.column
        for part in text.parts {
            var style = part.style
            style.background = style.background ?? background
            let room = limit == .max ? Int.max : limit - (column - point.column)
            guard room > 0 else { return }
            column += write(part.text, at: CellPoint(column: column, row: point.row), style: style, limit: room)
        }
    }
}

/// One of the sixteen colours that every terminal has. Colours that Tapline does not use are left out. The raw value is the
/// colour's number in the palette. The terminal chooses how the colour looks.
enum TerminalColour: UInt8 {
    case black, red, green, yellow, blue
    case cyan = 6
    /// Invisible in some themes, so only for decoration.
    case brightBlack = 8
    case brightWhite = 15
}

enum TextWeight {
    case regular
    /// Bold, or a bright colour on a terminal without bold.
    case bold
}

package struct TextStyle: Equatable {
    var foreground: TerminalColour?
    var background: TerminalColour?
    var weight: TextWeight

    init(
        _ foreground: TerminalColour? = nil, on background: TerminalColour? = nil, weight: TextWeight = .regular
    ) {
        self.foreground = foreground
        self.background = background
        self.weight = weight
    }

    package static let plain = TextStyle()
    package static let bold = TextStyle(weight: .bold)
    /// For lines and separators that the user need not read.
    static let decoration = TextStyle(.brightBlack)
}
