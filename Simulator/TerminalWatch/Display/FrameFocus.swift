import Watch

/// Where to look after a frame has changed.
enum FrameFocus {
    /// The smallest rectangle of cells in which two frames differ, or nil where they do not.
    ///
    /// - Parameters:
    ///   - old: the frame before, 3,024 bytes.
    ///   - new: the frame after, 3,024 bytes.
    static func changed(from old: [UInt8], to new: [UInt8]) -> CellRect? {
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
        let columnsPerByte = 8 / BrailleRenderer.pixelsPerColumn
        let firstRow = lines.lowerBound / BrailleRenderer.pixelsPerRow
        let lastRow = lines.upperBound / BrailleRenderer.pixelsPerRow
        return CellRect(
            column: bytes.lowerBound * columnsPerByte, row: firstRow, columns: bytes.count * columnsPerByte,
            rows: lastRow - firstRow + 1)
    }

    /// The cells around a touched line of pixels: enough of them to read the row that was touched.
    static func touched(y: Int) -> CellRect {
        let row = y / BrailleRenderer.pixelsPerRow
        return CellRect(column: 0, row: max(0, row - 3), columns: BrailleRenderer.size.columns, rows: 7)
    }
}
