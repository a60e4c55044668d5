import Watch

/// The cells of a frame, and the background that each is drawn on.
///
/// White and black areas are found first: touching cells in which one colour prevails, enough of them solid. Whatever is left,
/// such as the strokes of letters, is drawn on the background of the nearest area, so letters are never torn apart; where both
/// are equally near, a cell is the rim of a shape and has the background that prevails in it.
struct BrailleCells {
    private let masks: [UInt8]
    private let polarities: [BrailleRenderer.Polarity]

    private static var columns: Int { BrailleRenderer.size.columns }
    private static var rows: Int { BrailleRenderer.size.rows }

    /// The cells of a frame of 3,024 bytes.
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

    /// How a cell is drawn.
    func cell(column: Int, row: Int) -> Cell {
        let index = row * Self.columns + column
        if let edge = AreaEdge(masks[index]), runLength(around: column, row: row) >= BrailleRenderer.shortestEdge {
            return edge.cell
        }
        return BrailleRenderer.dotted(masks[index], polarities[index])
    }

    /// How many neighbours in the row have the same pixels as a cell, and itself.
    private func runLength(around column: Int, row: Int) -> Int {
        let line = masks[row * Self.columns..<(row + 1) * Self.columns]
        let index = line.startIndex + column
        var first = index
        var last = index
        while first > line.startIndex && line[first - 1] == line[index] { first -= 1 }
        while last + 1 < line.endIndex && line[last + 1] == line[index] { last += 1 }
        return last - first + 1
    }

    /// The polarity of a cell in which one colour prevails, nil where both have the same share.
    private static func prevailing(in mask: UInt8) -> BrailleRenderer.Polarity? {
        switch mask.nonzeroBitCount {
        case ..<4: .litDots
        case 4: nil
        default: .darkDots
        }
    }

    /// The polarities of the cells that are part of an area.
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

    /// Gives the cells beside areas their polarity, then those beside them, until all have one; a frame without an area
    /// gives none.
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

    /// The cells above, below and at the sides.
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

/// A cell through which the upper or lower edge of an area runs. A block drawn from the bottom up is exactly that, without
/// the mesh that dots would make of it.
private struct AreaEdge {
    /// The cell as it is drawn.
    var cell: Cell

    /// The edge that the lit pixels of `mask` show, or nil where they show none. The area is at least two lines high: of a
    /// single line nobody can tell whether it is an edge or a rule.
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
