import Watch

/// Draws a frame of the watch's display in braille: two by four pixels a cell, so 144 x 168 pixels become 72 x 42 cells.
///
/// On a white background the dark pixels are the dots, in reverse video: dots that stand for white would turn a white area into
/// a grey mesh. A whole area has one background, and so have the letters on it; a polarity chosen cell by cell would tear them
/// apart. Where there is no area at all, a row of cells has one polarity.
public enum BrailleRenderer {
    /// The size of a whole frame in cells.
    public static let size = CellSize(
        columns: PanelGeometry.width / pixelsPerColumn, rows: PanelGeometry.height / pixelsPerRow)
    /// Pixels across in a cell.
    public static let pixelsPerColumn = 2
    /// Pixels down in a cell.
    public static let pixelsPerRow = 4

    /// The colour of a lit pixel.
    public static let lit = TerminalColour.brightWhite
    /// The colour of a dark pixel.
    public static let dark = TerminalColour.black

    /// Which pixels of a row of cells are drawn as dots.
    public enum Polarity: Sendable {
        /// The lit ones, on black.
        case litDots
        /// The dark ones, on white.
        case darkDots
    }

    /// Lines above and below a row of cells that count when its polarity is chosen, so that an area a few lines high is
    /// seen as an area, and a line of text in it does not turn a row over.
    static let linesEitherSide = 2
    /// The shortest run of equal cells that is drawn as the edge of an area: the stroke of a letter is made of dots.
    static let shortestEdge = 5
    /// The fewest solid cells that make touching cells of one colour an area: a letter has fewer.
    static let smallestArea = 6

    /// Draws a whole frame.
    ///
    /// - Parameter frame: 3,024 bytes, 18 a line, the leftmost pixel in the highest bit; a set bit is lit. Bytes that are
    ///   missing count as dark.
    public static func render(_ frame: [UInt8]) -> TextCanvas {
        let cells = BrailleCells(frame)
        var canvas = TextCanvas(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { canvas[column, row] = cells.cell(column: column, row: row) }
        }
        return canvas
    }

    /// A touch of the pixel in the middle of a cell.
    public static func touch(at cell: CellPoint) -> Input {
        let x = cell.column * pixelsPerColumn + pixelsPerColumn / 2
        let y = cell.row * pixelsPerRow + pixelsPerRow / 2
        return .touch(x: Int16(clamping: x), y: Int16(clamping: y))
    }

    /// The polarity of a row of cells: reverse where more than half of the pixels are lit, counting the lines
    /// `linesEitherSide` of it too.
    public static func polarity(of frame: [UInt8], row: Int) -> Polarity {
        let first = max(0, row * pixelsPerRow - linesEitherSide)
        let last = min(PanelGeometry.height, (row + 1) * pixelsPerRow + linesEitherSide)
        var lit = 0
        for index in first * PanelGeometry.bytesPerLine..<last * PanelGeometry.bytesPerLine {
            lit += byte(index, of: frame).nonzeroBitCount
        }
        return lit * 2 > (last - first) * PanelGeometry.width ? .darkDots : .litDots
    }

    /// The lit pixels of a cell as the low byte of a braille scalar: dots 1, 2, 3 and 7 are its left column from the top
    /// down, 4, 5, 6 and 8 its right one.
    static func litMask(of frame: [UInt8], column: Int, row: Int) -> UInt8 {
        let shift = 6 - 2 * (column % 4)
        var mask: UInt8 = 0
        for line in 0..<pixelsPerRow {
            let index = (row * pixelsPerRow + line) * PanelGeometry.bytesPerLine + column / 4
            let pair = byte(index, of: frame) >> UInt8(shift)
            if pair & 0b10 != 0 { mask |= leftDots[line] }
            if pair & 0b01 != 0 { mask |= rightDots[line] }
        }
        return mask
    }

    private static let leftDots: [UInt8] = [0x01, 0x02, 0x04, 0x40]
    private static let rightDots: [UInt8] = [0x08, 0x10, 0x20, 0x80]

    private static func byte(_ index: Int, of frame: [UInt8]) -> UInt8 {
        index < frame.count ? frame[index] : 0
    }

    /// A cell with dots for the pixels that are not of the polarity's background.
    static func dotted(_ mask: UInt8, _ polarity: Polarity) -> Cell {
        switch polarity {
        case .litDots: Cell(mask == 0 ? " " : braille(mask), style: TextStyle(lit, on: dark))
        case .darkDots: Cell(mask == 0xFF ? " " : braille(~mask), style: TextStyle(dark, on: lit))
        }
    }

    /// The braille character with these dots.
    private static func braille(_ dots: UInt8) -> Character {
        // Every scalar from U+2800 to U+28FF is a braille pattern.
        Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
    }
}
