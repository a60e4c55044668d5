/// The scroll bar at the right edge of the list, blank while all rows fit.
///
/// The thumb is ridged like the crown, which is beside it. An arrow at either end shows that there are more rows
/// beyond.
struct ScrollIndicator: Sendable, BitwiseCopyable {
    var firstVisible: Int
    /// All rows of the list, visible or not.
    var total: Int

    private var hasMoreAbove: Bool { firstVisible > 0 }
    private var hasMoreBelow: Bool { firstVisible + RowGeometry.rowsVisible < total }

    /// Draws it. Only lines that change become dirty.
    func draw(into framebuffer: inout Framebuffer) {
        let thumb = self.thumb
        let end = RowGeometry.rowTop(RowGeometry.rowsVisible)
        for line in RowGeometry.titleBarHeight..<end {
            let fromTop = line - RowGeometry.titleBarHeight
            var pixels: UInt8 = 0
            if thumb.contains(line) {
                pixels = ScrollIndicator.thumbLine(line - thumb.lowerBound, of: thumb.count)
            } else if hasMoreAbove, fromTop >= 4, fromTop < 8 {
                pixels = ScrollIndicator.arrowLine(fromTop - 4)
            } else if hasMoreBelow, end - 1 - line >= 4, end - 1 - line < 8 {
                pixels = ScrollIndicator.arrowLine(end - 5 - line)
            }
            framebuffer.setByte(pixels, column: RowGeometry.indicatorLeft / 8, line: line)
        }
    }

    /// The lines that the thumb covers, empty while all rows fit.
    private var thumb: Range<Int> {
        guard hasMoreAbove || hasMoreBelow else { return 0..<0 }
        let track = RowGeometry.titleBarHeight + 12
        let length = RowGeometry.rowsVisible * RowGeometry.rowHeight - 24
        let size = max(20, length * RowGeometry.rowsVisible / total)
        let steps = max(1, total - RowGeometry.rowsVisible)
        let top = track + (length - size) * min(firstVisible, steps) / steps
        return top..<top + size
    }

    /// A line of the thumb: four columns at the panel's edge, solid with ridges two lines apart.
    private static func thumbLine(_ line: Int, of count: Int) -> UInt8 {
        if line == 0 || line == count - 1 { return 0b0000_0111 }
        return line % 4 < 2 ? 0b0000_1111 : 0b0000_1001
    }

    /// A line of an arrow: a triangle of four lines, counted from its tip.
    private static func arrowLine(_ line: Int) -> UInt8 {
        switch line {
        case 0: 0b0000_1000
        case 1: 0b0001_1100
        case 2: 0b0011_1110
        case _: 0b0111_1111
        }
    }
}
