/// The part of a picture that a smaller window shows, one to one: a display scaled to fit cannot be read.
public struct Viewport: Equatable, Sendable {
    /// The size of the whole picture.
    public let content: CellSize
    /// The size of the part that is shown, at most that of the whole.
    public let window: CellSize
    /// The upper left cell that is shown.
    public private(set) var origin: CellPoint

    /// A window of at most `window` cells onto the upper left corner of a picture of `content` cells.
    public init(content: CellSize, window: CellSize) {
        self.content = content
        self.window = CellSize(
            columns: min(content.columns, window.columns), rows: min(content.rows, window.rows))
        origin = CellPoint(column: 0, row: 0)
    }

    /// The part of the picture that is shown.
    public var visible: CellRect {
        CellRect(column: origin.column, row: origin.row, columns: window.columns, rows: window.rows)
    }

    /// Moves the window, but not beyond the picture.
    public mutating func move(to point: CellPoint) {
        origin.column = max(0, min(point.column, content.columns - window.columns))
        origin.row = max(0, min(point.row, content.rows - window.rows))
    }

    /// Moves the window by so many cells, to the right and down when positive.
    public mutating func pan(columns: Int, rows: Int) {
        move(to: CellPoint(column: origin.column + columns, row: origin.row + rows))
    }

    /// Moves the window as little as needed to show `focus`. One that does not fit is shown as far as it was in view, or from
    /// its upper left corner.
    public mutating func follow(_ focus: CellRect) {
        move(
            to: CellPoint(
                column: Viewport.start(showing: focus.columnRange, in: visible.columnRange),
                row: Viewport.start(showing: focus.rowRange, in: visible.rowRange)))
    }

    /// Where a window that now covers `visible` begins when it shows `focus`.
    private static func start(showing focus: Range<Int>, in visible: Range<Int>) -> Int {
        guard focus.count <= visible.count else {
            return focus.overlaps(visible) ? visible.lowerBound : focus.lowerBound
        }
        if focus.lowerBound < visible.lowerBound { return focus.lowerBound }
        if focus.upperBound > visible.upperBound { return focus.upperBound - visible.count }
        return visible.lowerBound
    }

    /// What of the picture lies outside of the window.
    public struct Hidden: Equatable, Sendable {
        /// Rows above it.
        public var above: Int
        /// Rows below it.
        public var below: Int
        /// Columns to its left.
        public var left: Int
        /// Columns to its right.
        public var right: Int
    }

    /// What of the picture lies outside of the window.
    public var hidden: Hidden {
        Hidden(
            above: origin.row, below: content.rows - window.rows - origin.row, left: origin.column,
            right: content.columns - window.columns - origin.column)
    }
}

/// Whether the window moves by itself.
public enum ViewTracking: Sendable {
    /// It moves to what changes.
    case following
    /// Somebody moved it: it stays until the watch is used again.
    case held
}
