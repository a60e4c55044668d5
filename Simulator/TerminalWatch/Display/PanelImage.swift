import Watch

struct PanelImage: Equatable {
    /// 3,024 bytes, 18 for each line of pixels. The highest bit of a byte is its leftmost pixel, and a set bit is a lit pixel.
    var frame: [UInt8]
    let type: GraphicsProtocol
    let scale: Int
    let cell: PixelSize
    let place: CellRect

    var width: Int { PanelGeometry.width * scale }

    /// Returns the terminal's pixels, beginning at the top of a row of cells. The parameter `lines` is the number of pixel
    /// lines. Each byte is one pixel: 0 is dark, and 1 is lit. Pixels below the panel are dark.
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

    func lines(ofRows rows: Range<Int>) -> Int {
        max(0, min(rows.upperBound * cell.height, PanelGeometry.height * scale) - rows.lowerBound * cell.height)
    }

    var rows: Range<Int> { 0..<(PanelGeometry.height * scale + cell.height - 1) / cell.height }

    /// The rows of cells that differ from `shown`, as ranges of adjacent rows. All rows if `shown` is nil or has another
    /// position, size or protocol.
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
    case some(GraphicsProtocol, cell: PixelSize)
}

package enum GraphicsProtocol: String, Sendable {
    /// Kitty's graphics protocol: PNG files in base64. The terminal stores each file under a number.
    case kitty
    /// Sixel graphics: each character encodes a column of six pixels.
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
