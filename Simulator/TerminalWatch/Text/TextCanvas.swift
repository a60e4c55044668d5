/// A place on a terminal, in cells from its upper left corner. It may lie outside of it.
public struct CellPoint: Equatable, Sendable {
    /// Cells from the left edge.
    public var column: Int
    /// Cells from the upper edge.
    public var row: Int

    /// The cell in `column` of `row`.
    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A size in cells.
public struct CellSize: Equatable, Sendable {
    /// Cells across, 0 or more.
    public var columns: Int
    /// Cells down, 0 or more.
    public var rows: Int

    /// A size of `columns` by `rows`; negative numbers count as zero.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A rectangle of cells.
public struct CellRect: Equatable, Sendable {
    /// The upper left cell.
    public var origin: CellPoint
    /// The cells across and down.
    public var size: CellSize

    /// The rectangle of `columns` by `rows` whose upper left cell is in `column` of `row`.
    public init(column: Int, row: Int, columns: Int, rows: Int) {
        origin = CellPoint(column: column, row: row)
        size = CellSize(columns: columns, rows: rows)
    }

    /// The columns it covers.
    public var columnRange: Range<Int> { origin.column..<origin.column + size.columns }
    /// The rows it covers.
    public var rowRange: Range<Int> { origin.row..<origin.row + size.rows }

    /// Whether `point` lies in it.
    public func contains(_ point: CellPoint) -> Bool {
        columnRange.contains(point.column) && rowRange.contains(point.row)
    }
}

/// One cell of a terminal.
public struct Cell: Equatable, Sendable {
    /// What a cell holds.
    public enum Content: Equatable, Sendable {
        /// A character one or two columns wide, drawn from this cell on.
        case text(Character)
        /// The second half of the wide character before it.
        case continuation
    }

    /// What it holds.
    public var content: Content
    /// How it is drawn.
    public var style: TextStyle

    /// A cell with `character`.
    public init(_ character: Character = " ", style: TextStyle = .plain) {
        content = .text(character)
        self.style = style
    }

    /// The second half of a wide character.
    static func continuation(style: TextStyle) -> Cell {
        var cell = Cell(style: style)
        cell.content = .continuation
        return cell
    }
}

/// A picture made of cells: all that a terminal shows. Drawing outside of it does nothing.
public struct TextCanvas: Equatable, Sendable {
    /// The picture's size.
    public let size: CellSize
    /// The cells, row by row.
    private var cells: [Cell]

    /// An empty picture.
    public init(size: CellSize) {
        self.size = size
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    /// The cell at a place that lies in the picture.
    public subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }

    /// Whether `point` lies in the picture.
    public func contains(_ point: CellPoint) -> Bool {
        (0..<size.columns).contains(point.column) && (0..<size.rows).contains(point.row)
    }

    /// Puts one cell at `point`.
    public mutating func put(_ cell: Cell, at point: CellPoint) {
        if contains(point) { self[point.column, point.row] = cell }
    }

    /// Puts one narrow character at `point`.
    public mutating func put(_ character: Character, at point: CellPoint, style: TextStyle) {
        put(Cell(character, style: style), at: point)
    }

    /// Writes `text` from `point` on into at most `limit` columns and returns the columns it took. What does not fit is
    /// cut and marked with an ellipsis; characters that could upset a terminal are left out.
    @discardableResult
    public mutating func write(
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

    /// Fills `rect` with one character.
    public mutating func fill(_ rect: CellRect, with character: Character = " ", style: TextStyle) {
        for row in rect.rowRange {
            for column in rect.columnRange {
                put(character, at: CellPoint(column: column, row: row), style: style)
            }
        }
    }

    /// Copies the part `source` of another picture to `point`.
    public mutating func copy(_ source: CellRect, of other: TextCanvas, to point: CellPoint) {
        for row in 0..<source.size.rows {
            for column in 0..<source.size.columns {
                let from = CellPoint(column: source.origin.column + column, row: source.origin.row + row)
                guard other.contains(from) else { continue }
                put(
                    other[from.column, from.row],
                    at: CellPoint(column: point.column + column, row: point.row + row))
            }
        }
    }

    /// The text of one row, without its trailing spaces: for tests and for people who read logs.
    public func text(row: Int) -> String {
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
