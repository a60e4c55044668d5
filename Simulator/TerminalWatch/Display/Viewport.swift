import Watch

/// The part of a picture in a smaller window, in its full size: a scaled display would be unreadable.
struct Viewport {
    let content: CellSize
    /// The size of the shown part, at most that of the picture.
    let window: CellSize
    /// The upper left cell of the shown part.
    private(set) var origin: CellPoint

    /// Begins at the upper left corner.
    init(content: CellSize, window: CellSize) {
        self.content = content
        self.window = CellSize(
            columns: min(content.columns, window.columns), rows: min(content.rows, window.rows))
        origin = CellPoint(column: 0, row: 0)
    }

    var visible: CellRect {
        CellRect(column: origin.column, row: origin.row, columns: window.columns, rows: window.rows)
    }

    /// Stays within the picture.
    mutating func move(to point: CellPoint) {
        origin.column = max(0, min(point.column, content.columns - window.columns))
        origin.row = max(0, min(point.row, content.rows - window.rows))
    }

    /// In cells, right and down if positive.
    mutating func pan(columns: Int, rows: Int) {
        move(to: CellPoint(column: origin.column + columns, row: origin.row + rows))
    }

    /// Moves as little as needed to show `focus`. If `focus` is larger than the window, the window stays if it shows a part of
    /// `focus`. Otherwise it moves to the upper left corner of `focus`.
    mutating func follow(_ focus: CellRect) {
        move(
            to: CellPoint(
                column: Viewport.start(showing: focus.columnRange, in: visible.columnRange),
                row: Viewport.start(showing: focus.rowRange, in: visible.rowRange)))
    }

    /// The first cell of a window that now covers `visible` and is to show `focus`.
    private static func start(showing focus: Range<Int>, in visible: Range<Int>) -> Int {
        guard focus.count <= visible.count else {
            return focus.overlaps(visible) ? visible.lowerBound : focus.lowerBound
        }
        if focus.lowerBound < visible.lowerBound { return focus.lowerBound }
        if focus.upperBound > visible.upperBound { return focus.upperBound - visible.count }
        return visible.lowerBound
    }
}

// MARK: Where to look

extension Viewport {
    /// The smallest rectangle of a picture's cells in which two frames of 3,024 bytes differ; nil if they do not.
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

    /// Enough cells of a picture around a touched line of pixels to read its row.
    static func touched(y: Int, in picture: CellSize = BrailleRenderer.size) -> CellRect {
        let around = RowGeometry.rowHeight / 2
        let row = max(0, y - around) * picture.rows / PanelGeometry.height
        let lastRow = (y + around) * picture.rows / PanelGeometry.height
        return CellRect(column: 0, row: row, columns: picture.columns, rows: lastRow - row + 1)
    }
}
