/// A line of text whose parts are drawn differently.
struct StyledText: Equatable {
    struct Part: Equatable {
        var text: String
        var style: TextStyle
    }

    /// From left to right.
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
