import Watch

struct PanelImage: Equatable {
    /// 3,024 bytes, 18 a line, the leftmost pixel in the highest bit; a set bit is lit.
    var frame: [UInt8]
    let type: GraphicsProtocol
    /// Pixels of the terminal for one of the panel, in both directions.
    let scale: Int
    let cell: PixelSize
    let place: CellRect

    var width: Int { PanelGeometry.width * scale }

    /// A row of cells in the terminal's pixels, line after line: a byte a pixel, 0 for dark and 1 for lit. It is dark below the
    /// panel.
    ///
    /// - Parameter lines: lines of the terminal.
    func pixels(ofRow row: Int, lines: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * lines)
        for y in row * cell.height..<row * cell.height + lines {
            let line = y / scale
            for x in 0..<PanelGeometry.width {
                let index = line * PanelGeometry.bytesPerLine + x / 8
                let isLit = line < PanelGeometry.height && frame[index] & 0x80 >> UInt8(x % 8) != 0
                for _ in 0..<scale { pixels.append(isLit ? 1 : 0) }
            }
        }
        return pixels
    }

    /// The number of the terminal's lines with a part of the panel in these rows of cells.
    func lines(ofRows rows: Range<Int>) -> Int {
        max(0, min(rows.upperBound * cell.height, PanelGeometry.height * scale) - rows.lowerBound * cell.height)
    }

    /// The rows of cells with a part of the panel, from 0.
    var rows: Range<Int> { 0..<(PanelGeometry.height * scale + cell.height - 1) / cell.height }

    /// The rows of cells that differ from the shown image, with neighbours joined. All rows if the shown image has another place,
    /// size or protocol.
    func changedRows(from shown: PanelImage?) -> [Range<Int>] {
        guard let shown, shown.isLike(self) else { return [rows] }
        var changed: [Range<Int>] = []
        for row in rows where differs(from: shown, inRow: row) {
            if let last = changed.last, last.upperBound == row {
                changed[changed.count - 1] = last.lowerBound..<row + 1
            } else {
                changed.append(row..<row + 1)
            }
        }
        return changed
    }

    private func isLike(_ other: PanelImage) -> Bool {
        type == other.type && scale == other.scale && cell == other.cell && place == other.place
    }

    private func differs(from other: PanelImage, inRow row: Int) -> Bool {
        let first = row * cell.height / scale
        let last = min(PanelGeometry.height, ((row + 1) * cell.height + scale - 1) / scale)
        guard first < last else { return false }
        let bytes = first * PanelGeometry.bytesPerLine..<last * PanelGeometry.bytesPerLine
        return frame[bytes] != other.frame[bytes]
    }
}

package enum TerminalGraphics: Equatable, Sendable {
    case none
    /// `cell` is the size of a character in pixels.
    case some(GraphicsProtocol, cell: PixelSize)
}

package enum GraphicsProtocol: String, Sendable {
    /// PNG files in base 64, which the terminal keeps by number.
    case kitty
    /// Six lines of pixels to a character.
    case sixel
}

package struct PixelSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
