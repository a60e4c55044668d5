package struct CellPoint: Equatable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

package struct CellSize: Equatable {
    package let columns: Int
    package let rows: Int

    /// A negative number becomes zero.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

package struct CellRect: Equatable {
    package let origin: CellPoint
    package let size: CellSize

    init(column: Int, row: Int, columns: Int, rows: Int) {
        origin = CellPoint(column: column, row: row)
        size = CellSize(columns: columns, rows: rows)
    }

    var columnRange: Range<Int> { origin.column..<origin.column + size.columns }
    var rowRange: Range<Int> { origin.row..<origin.row + size.rows }

    func contains(_ point: CellPoint) -> Bool {
        columnRange.contains(point.column) && rowRange.contains(point.row)
    }
}

struct Cell: Equatable {
    enum Content: Equatable {
        /// A character, one or two columns wide. If it is wide, the next cell is its `continuation`.
        case text(Character)
        case continuation
    }

    var content: Content
    var style: TextStyle

    init(_ character: Character = " ", style: TextStyle = .plain) {
        content = .text(character)
        self.style = style
    }

    static func continuation(style: TextStyle) -> Cell {
        var cell = Cell(style: style)
        cell.content = .continuation
        return cell
    }
}

/// A picture made of terminal cells. Drawing outside it has no effect.
package struct TextCanvas: Equatable {
    let size: CellSize
    private var cells: [Cell]

    package init(size: CellSize) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    /// The position must be in the picture.
    subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }

    func contains(_ point: CellPoint) -> Bool {
        (0..<size.columns).contains(point.column) && (0..<size.rows).contains(point.row)
    }

    mutating func put(_ cell: Cell, at point: CellPoint) {
        if contains(point) { self[point.column, point.row] = cell }
    }

    mutating func put(_ character: Character, at point: CellPoint, style: TextStyle) {
        put(Cell(character, style: style), at: point)
    }

    /// Writes at most `limit` columns, and returns how many it used. A text that is cut ends with an ellipsis. Characters that
    /// could confuse a terminal are dropped.
    @discardableResult
    package mutating func write(
        _ text: some StringProtocol, at point: CellPoint, style: TextStyle = .plain, limit: Int = .max
    ) -> Int {
        let room = min(limit, size.columns - point.column)
        guard room > 0 else { return 0 }
        var column = point.column
        for piece in TextPieces(text).fitted(to: room) {
            put(piece.text, at: CellPoint(column: column, row: point.row), style: style)
            if piece.columns == 2 {
                put(.continuation(style: style), at: CellPoint(column: column + 1, row: point.row))
            }
            column += piece.columns
        }
        return column - point.column
    }

    mutating func fill(_ rect: CellRect, with character: Character = " ", style: TextStyle) {
        for row in rect.rowRange {
            for column in rect.columnRange {
                put(character, at: CellPoint(column: column, row: row), style: style)
            }
        }
    }

    mutating func frame(_ rect: CellRect, style: TextStyle) {
        let (left, right) = (rect.columnRange.lowerBound, rect.columnRange.upperBound - 1)
        let (top, bottom) = (rect.rowRange.lowerBound, rect.rowRange.upperBound - 1)
        for column in rect.columnRange {
            put("─", at: CellPoint(column: column, row: top), style: style)
            put("─", at: CellPoint(column: column, row: bottom), style: style)
        }
        for row in rect.rowRange {
            put("│", at: CellPoint(column: left, row: row), style: style)
            put("│", at: CellPoint(column: right, row: row), style: style)
        }
        put("╭", at: CellPoint(column: left, row: top), style: style)
        put("╮", at: CellPoint(column: right, row: top), style: style)
        put("╰", at: CellPoint(column: left, row: bottom), style: style)
        put("╯", at: CellPoint(column: right, row: bottom), style: style)
    }

    /// Copies cells of `other` to `point`. Drops a wide character that a side of the rectangle would cut.
    mutating func copy(_ source: CellRect, of other: TextCanvas, to point: CellPoint) {
        for row in 0..<source.size.rows {
            for column in 0..<source.size.columns {
                let from = CellPoint(column: source.origin.column + column, row: source.origin.row + row)
                guard other.contains(from) else { continue }
                var cell = other[from.column, from.row]
                let next = from.column + 1
                let isFirstHalf = next < other.size.columns && other[next, from.row].content == .continuation
                let isCut =
                    column == 0 && cell.content == .continuation || next == source.columnRange.upperBound && isFirstHalf
                if isCut { cell = Cell(style: cell.style) }
                put(cell, at: CellPoint(column: point.column + column, row: point.row + row))
            }
        }
    }

    /// Returns the text of a row without trailing spaces, for tests.
    func text(row: Int) -> String {
        var text = ""
        for column in 0..<size.columns {
            switch self[column, row].content {
            case .text(let character): text.append(character)
            case .continuation: continue
            }
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// Adjacent cells of one row that have the same style. The terminal receives them in one piece.
struct CellRun: Equatable {
    var origin: CellPoint
    var style: TextStyle
    var text: String
}

enum CanvasDifference {
    /// Returns the changed cells from top to bottom, or all cells if `old` is nil or has another size.
    static func runs(from old: TextCanvas?, to new: TextCanvas) -> [CellRun] {
        var runs: [CellRun] = []
        let comparable = old?.size == new.size ? old : nil
        for row in 0..<new.size.rows {
            appendRuns(of: row, from: comparable, to: new, onto: &runs)
        }
        return runs
    }

    private static func appendRuns(
        of row: Int, from old: TextCanvas?, to new: TextCanvas, onto runs: inout [CellRun]
    ) {
        var open: CellRun?
        for column in 0..<new.size.columns {
            let cell = new[column, row]
            guard case .text(let character) = cell.content else { continue }
            guard isChanged(column, row, from: old, to: new) else {
                if let run = open { runs.append(run) }
                open = nil
                continue
            }
            if open?.style == cell.style {
                open?.text.append(character)
            } else {
                if let run = open { runs.append(run) }
                open = CellRun(
                    origin: CellPoint(column: column, row: row), style: cell.style, text: String(character))
            }
        }
        if let run = open { runs.append(run) }
    }

    /// Whether the cell has changed. If a wide character begins in the cell, a change of the next cell counts too.
    private static func isChanged(_ column: Int, _ row: Int, from old: TextCanvas?, to new: TextCanvas) -> Bool {
        guard let old else { return true }
        if old[column, row] != new[column, row] { return true }
        let next = column + 1
        guard next < new.size.columns, new[next, row].content == .continuation else { return false }
        return old[next, row] != new[next, row]
    }
}
