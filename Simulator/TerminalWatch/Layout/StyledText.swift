/// A line of text whose parts are drawn differently.
struct StyledText: Equatable {
    /// A part that is drawn in one way.
    struct Part: Equatable {
        /// The text.
        var text: String
        /// How it is drawn.
        var style: TextStyle
    }

    /// The parts, from left to right.
    var parts: [Part]

    /// A line of parts.
    init(_ parts: [Part]) {
        self.parts = parts
    }

    /// A line that is drawn in one way.
    init(_ text: String, _ style: TextStyle = .plain) {
        parts = [Part(text: text, style: style)]
    }

    /// An empty line.
    static let empty = StyledText([])

    /// The columns it takes.
    var columns: Int { parts.reduce(0) { $0 + TextPieces($1.text).columns } }

    /// Both lines, one after the other.
    static func + (left: StyledText, right: StyledText) -> StyledText {
        StyledText(left.parts + right.parts)
    }
}

extension TextCanvas {
    /// Writes a line of text from `point` on into at most `limit` columns, on `background` where its parts have none.
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
