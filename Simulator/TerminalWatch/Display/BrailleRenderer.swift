import Watch

/// Draws the panel in braille characters. Each cell shows two by four pixels, so 144 x 168 pixels become 72 x 42 cells.
///
/// A white area is a group of adjacent cells that are mostly lit. At least `smallestArea` of these cells are fully lit. In a
/// black area, the cells are dark instead of lit. An area and the letters on it get the same background, because a change of
/// the background would tear a letter apart. On a white background, dark pixels are drawn as dots. White dots would turn a
/// white area into a grey mesh. If a frame has no area, all cells of a row get the same background.
enum BrailleRenderer {
    static let size = CellSize(
        columns: PanelGeometry.width / pixelsPerColumn, rows: PanelGeometry.height / pixelsPerRow)
    static let pixelsPerColumn = 2
    static let pixelsPerRow = 4

    static let lit = TerminalColour.brightWhite
    static let dark = TerminalColour.black

    enum Polarity {
        /// Lit pixels are dots on a dark background.
        case litDots
        /// Dark pixels are dots on a lit background.
        case darkDots
    }

    /// The polarity of a row of cells also depends on this number of pixel lines above the row, and on the same number below
    /// the row. Without these lines, text in a white bar of a few lines could make the row dark.
    static let linesEitherSide = 2
    /// The minimum number of cells in the upper or lower edge of an area. A shorter edge belongs to a letter, and is drawn as
    /// dots.
    static let shortestEdge = 5
    /// An area has at least this number of fully lit or fully dark cells. A letter has fewer such cells.
    static let smallestArea = 6

    /// Draws a frame of 3,024 bytes, 18 for each line of pixels. The highest bit of a byte is its leftmost pixel, and a set bit
    /// is a lit pixel. Missing bytes are dark.
    static func render(_ frame: [UInt8]) -> TextCanvas {
        let cells = BrailleCells(frame)
        var canvas = TextCanvas(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { canvas[column, row] = cells.cell(column: column, row: row) }
        }
        return canvas
    }

    static func pixel(at cell: CellPoint) -> PanelPixel {
        PanelPixel(
            x: cell.column * pixelsPerColumn + pixelsPerColumn / 2, y: cell.row * pixelsPerRow + pixelsPerRow / 2)
    }

    /// Chooses the polarity of a row of cells in a frame without areas: dark dots if most pixels are lit. Counts the pixels of
    /// the row, and of `linesEitherSide` lines above and below it.
    static func polarity(of frame: [UInt8], row: Int) -> Polarity {
        let first = max(0, row * pixelsPerRow - linesEitherSide)
        let last = min(PanelGeometry.height, (row + 1) * pixelsPerRow + linesEitherSide)
        var lit = 0
        for index in first * PanelGeometry.bytesPerLine..<last * PanelGeometry.bytesPerLine {
            lit += byte(index, of: frame).nonzeroBitCount
        }
        return lit * 2 > (last - first) * PanelGeometry.width ? .darkDots : .litDots
    }

    /// The lit pixels of a cell, as the low byte of a braille scalar (U+2800 to U+28FF). Dots 1, 2, 3 and 7 are the left column
    /// from top to bottom; 4, 5, 6 and 8 are the right column.
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

    /// Draws a dot for each pixel that differs from the background.
    static func dotted(_ mask: UInt8, _ polarity: Polarity) -> Cell {
        switch polarity {
        case .litDots: Cell(mask == 0 ? " " : braille(mask), style: TextStyle(lit, on: dark))
        case .darkDots: Cell(mask == 0xFF ? " " : braille(~mask), style: TextStyle(dark, on: lit))
        }
    }

    private static func braille(_ dots: UInt8) -> Character {
        // All scalars from U+2800 to U+28FF are braille patterns.
        Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
    }
}

private struct BrailleCells {
    private let masks: [UInt8]
    private let polarities: [BrailleRenderer.Polarity]

    private static var columns: Int { BrailleRenderer.size.columns }
    private static var rows: Int { BrailleRenderer.size.rows }

    init(_ frame: [UInt8]) {
        let indices = 0..<Self.columns * Self.rows
        let masks = indices.map {
            BrailleRenderer.litMask(of: frame, column: $0 % Self.columns, row: $0 / Self.columns)
        }
        self.masks = masks
        var polarities = Self.areas(in: masks)
        Self.spread(&polarities, masks)
        self.polarities = indices.map { index in
            polarities[index] ?? BrailleRenderer.polarity(of: frame, row: index / Self.columns)
        }
    }

    func cell(column: Int, row: Int) -> Cell {
        let index = row * Self.columns + column
        if let edge = AreaEdge(masks[index]), runLength(around: column, row: row) >= BrailleRenderer.shortestEdge {
            return edge.cell
        }
        return BrailleRenderer.dotted(masks[index], polarities[index])
    }

    /// The number of equal cells side by side in `row`, including the cell at `column`.
    private func runLength(around column: Int, row: Int) -> Int {
        let line = masks[row * Self.columns..<(row + 1) * Self.columns]
        let index = line.startIndex + column
        var first = index
        var last = index
        while first > line.startIndex && line[first - 1] == line[index] { first -= 1 }
        while last + 1 < line.endIndex && line[last + 1] == line[index] { last += 1 }
        return last - first + 1
    }

    private static func prevailing(in mask: UInt8) -> BrailleRenderer.Polarity? {
        switch mask.nonzeroBitCount {
        case ..<4: .litDots
        case 4: nil
        default: .darkDots
        }
    }

    private static func areas(in masks: [UInt8]) -> [BrailleRenderer.Polarity?] {
        var polarities = [BrailleRenderer.Polarity?](repeating: nil, count: masks.count)
        var rest = masks.map { prevailing(in: $0) }
        for first in masks.indices {
            guard let polarity = rest[first] else { continue }
            rest[first] = nil
            var region = [first]
            var next = 0
            while next < region.count {
                for neighbour in neighbours(of: region[next]) where rest[neighbour] == polarity {
                    rest[neighbour] = nil
                    region.append(neighbour)
                }
                next += 1
            }
            let solid = region.count { masks[$0] == 0x00 || masks[$0] == 0xFF }
            guard solid >= BrailleRenderer.smallestArea else { continue }
            for index in region { polarities[index] = polarity }
        }
        return polarities
    }

    /// Gives the cells outside the areas a polarity, starting next to the areas. A cell takes the polarity of its neighbours.
    /// If the polarities of the neighbours differ, the majority of the cell's own pixels decides. If there is no area, no cell
    /// gets a polarity.
    private static func spread(_ polarities: inout [BrailleRenderer.Polarity?], _ masks: [UInt8]) {
        var open = masks.indices.filter { polarities[$0] == nil }
        while !open.isEmpty {
            let decided = open.map { index -> (index: Int, polarity: BrailleRenderer.Polarity?) in
                let around = neighbours(of: index).compactMap { polarities[$0] }
                guard let first = around.first else { return (index, nil) }
                let isContested = around.contains { $0 != first }
                return (index, isContested ? prevailing(in: masks[index]) ?? .litDots : first)
            }
            for (index, polarity) in decided { polarities[index] = polarity }
            let stillOpen = open.filter { polarities[$0] == nil }
            if stillOpen.count == open.count { return }
            open = stillOpen
        }
    }

    private static func neighbours(of index: Int) -> [Int] {
        var neighbours: [Int] = []
        neighbours.reserveCapacity(4)
        if index >= columns { neighbours.append(index - columns) }
        if index + columns < columns * rows { neighbours.append(index + columns) }
        if index % columns > 0 { neighbours.append(index - 1) }
        if index % columns < columns - 1 { neighbours.append(index + 1) }
        return neighbours
    }
}

/// A cell at the upper or lower edge of an area. It is drawn as a block character, which shows the edge without a mesh of dots.
private struct AreaEdge {
    let cell: Cell

    /// Nil unless the lit pixels are exactly the upper two or three lines of the cell, or exactly the lower two or three. A
    /// single lit line is no edge, because it can be a separator.
    init?(_ mask: UInt8) {
        let lit = TextStyle(BrailleRenderer.lit, on: BrailleRenderer.dark)
        let dark = TextStyle(BrailleRenderer.dark, on: BrailleRenderer.lit)
        switch mask {
        case 0b1110_0100: cell = Cell("▄", style: lit)
        case 0b1111_0110: cell = Cell("▆", style: lit)
        case 0b0001_1011: cell = Cell("▄", style: dark)
        case 0b0011_1111: cell = Cell("▂", style: dark)
        default: return nil
        }
    }
}
