import Watch

/// The part of a picture that a smaller window shows. The picture is not scaled down to fit, because it would become
/// unreadable.
struct Viewport {
    let content: CellSize
    /// The size of the window, at most the size of the picture.
    let window: CellSize
    private(set) var origin: CellPoint

    init(content: CellSize, window: CellSize) {
        self.content = content
        self.window = CellSize(
            columns: min(content.columns, window.columns), rows: min(content.rows, window.rows))
        origin = CellPoint(column: 0, row: 0)
    }

    var visible: CellRect {
        CellRect(column: origin.column, row: origin.row, columns: window.columns, rows: window.rows)
    }

    /// Moves the window's upper left corner to `point`, or as near as the picture allows.
    mutating func move(to point: CellPoint) {
        origin.column = max(0, min(point.column, content.columns - window.columns))
        origin.row = max(0, min(point.row, content.rows - window.rows))
    }

    mutating func pan(columns: Int, rows: Int) {
        move(to: CellPoint(column: origin.column + columns, row: origin.row + rows))
    }

    /// Moves as little as needed to show `focus`. If `focus` is wider than the window, one visible column is enough. If `focus`
    /// is taller than the window, one visible row is enough.
    mutating func follow(_ focus: CellRect) {
        move(
            to: CellPoint(
                column: Viewport.start(showing: focus.columnRange, in: visible.columnRange),
                row: Viewport.start(showing: focus.rowRange, in: visible.rowRange)))
    }

    private static func start(showing focus: Range<Int>, in visible: Range<Int>) -> Int {
        guard focus.count <= visible.count else {
            return focus.overlaps(visible) ? visible.lowerBound : focus.lowerBound
        }
        if focus.lowerBound < visible.lowerBound { return focus.lowerBound }
        if focus.upperBound > visible.upperBound { return focus.upperBound - visible.count }
        return visible.lowerBound
    }
}

extension Viewport {
    /// A rectangle of cells that holds all differences between two frames of 3,024 bytes. Nil if the frames are equal.
    static func changed(
        from old: [UInt8], to new: [UInt8], in picture: CellSize = BrailleRenderer.size
    ) -> CellRect? {
        let bytesPerLine = PanelGeometry.bytesPerLine
        var lines: ClosedRange<Int>?
        var bytes: ClosedRange<Int>?
        for index in 0..<min(old.count, new.count) where old[index] != new[index] {
            let line = index / bytesPerLine
            let byte = index % bytesPerLine
            lines = (lines?.lowerBound ?? line)...line
            bytes = min(bytes?.lowerBound ?? byte, byte)...max(bytes?.upperBound ?? byte, byte)
        }
        guard let lines, let bytes else { return nil }
        let column = bytes.lowerBound * 8 * picture.columns / PanelGeometry.width
        let lastColumn = ((bytes.upperBound + 1) * 8 * picture.columns - 1) / PanelGeometry.width
        let row = lines.lowerBound * picture.rows / PanelGeometry.height
        let lastRow = lines.upperBound * picture.rows / PanelGeometry.height
        return CellRect(column: column, row: row, columns: lastColumn - column + 1, rows: lastRow - row + 1)
    }

    /// The cells of the list row whose middle is at pixel line `y` of the panel, over the whole width of the picture.
    static func touched(y: Int, in picture: CellSize = BrailleRenderer.size) -> CellRect {
        let around = RowGeometry.rowHeight / 2
        let row = max(0, y - around) * picture.rows / PanelGeometry.height
        let lastRow = (y + around) * picture.rows / PanelGeometry.height
        return CellRect(column: 0, row: row, columns: picture.columns, rows: lastRow - row + 1)
    }
}
