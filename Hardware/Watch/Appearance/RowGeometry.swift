import WatchLink

/// The layout of the list screen in pixels. On the memory LCD, all edges are multiples of four lines. A terminal shows four
/// lines as one row of braille characters, and no edge may fall inside a character.
public enum RowGeometry {
    #if COLOUR_PANEL
    /// Height of the title bar in lines.
    public static var titleBarHeight: Int { 30 }
    /// Height of a row in lines.
    public static var rowHeight: Int { 26 }
    #else
    /// Height of the title bar in lines.
    public static var titleBarHeight: Int { 24 }
    /// Height of a row in lines.
    public static var rowHeight: Int { 24 }
    #endif
    /// How many rows the panel shows.
    public static var rowsVisible: Int { (PanelGeometry.height - titleBarHeight) / rowHeight }
    static var titleBaseline: Int { titleBarHeight / 2 + 5 }
    /// The first column of a row's text.
    public static var textLeft: Int { 6 }
    static var textRight: Int { indicatorLeft - 2 }
    /// The column at which rows end and the scroll indicator begins: a multiple of 8, so the indicator is one byte of each line.
    static var indicatorLeft: Int { PanelGeometry.width - 8 }

    /// Returns the first line of the row at a position. Position 0 is directly below the title bar.
    public static func rowTop(_ position: Int) -> Int { titleBarHeight + position * rowHeight }

    /// The position of the row at line `y`. Nil in the title bar and outside the panel.
    public static func row(atY y: Int) -> Int? {
        guard y >= titleBarHeight, y < rowTop(rowsVisible) else { return nil }
        return (y - titleBarHeight) / rowHeight
    }

    /// Returns the rectangle of the row at a position, without the scroll indicator.
    static func area(_ position: Int) -> Rect {
        Rect(x: 0, y: rowTop(position), width: indicatorLeft, height: rowHeight)
    }

    static var listArea: Rect {
        Rect(x: 0, y: titleBarHeight, width: PanelGeometry.width, height: rowHeight * rowsVisible)
    }
}

struct RowRegion: Sendable, BitwiseCopyable {
    var position: Int

    func draw(_ item: ListItem, into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.area(position), .black)
        drawSeparator(into: &framebuffer)
        let fitted = RowRegion.fit(item.title)
        framebuffer.draw(
            item.title.utf8.extracting(first: fitted.byteCount), .row, at: Point(x: RowGeometry.textLeft, y: baseline),
            ending: fitted.ending)
        switch item.shown {
        case .waiting: break
        case .struck: strike(width: fitted.width, into: &framebuffer)
        }
    }

    /// Strikes the title through, which changes two lines. `width` is the title's width in pixels.
    @inline(__always)
    func strike(width: Int, into framebuffer: inout Framebuffer) {
        let top = baseline &- 5
        let right = min(RowGeometry.textLeft &+ width &+ 3, RowGeometry.indicatorLeft)
        framebuffer.fillOnPanel(Rect(left: RowGeometry.textLeft - 3, top: top, right: right, bottom: top &+ 2))
    }

    /// Returns the width in pixels of the title as it is drawn, with the ellipsis if the title is cut.
    static func titleWidth(_ title: ItemTitle) -> Int {
        fit(title).width
    }

    func drawBlank(into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.area(position), .black)
    }

    /// Draws the dots above the row. The first row has none, because the title bar is above it.
    func drawSeparator(into framebuffer: inout Framebuffer) {
        // Every fourth pixel, within the columns of the text.
        let y = RowGeometry.rowTop(position)
        let columns = RowGeometry.indicatorLeft / 8
        for column in 0..<columns {
            let dots: UInt8 = column == 0 ? 0b0000_0010 : column == columns - 1 ? 0b0010_0000 : 0b0010_0010
            framebuffer.setByte(position == 0 ? 0 : dots, column: column, line: y)
        }
    }

    private var baseline: Int { RowGeometry.rowTop(position) + 17 }

    private static func fit(_ title: ItemTitle) -> FittedText {
        Font.row.fit(title.utf8, in: RowGeometry.textRight - RowGeometry.textLeft, completeness: title.completeness)
    }
}

/// The scroll indicator, blank if all rows fit. The thumb has ridges like the crown. An arrow at the top or bottom shows that
/// more rows follow in its direction.
struct ScrollIndicator: Sendable, BitwiseCopyable {
    var firstVisible: Int
    var total: Int

    private var hasMoreAbove: Bool { firstVisible > 0 }
    private var hasMoreBelow: Bool { firstVisible + RowGeometry.rowsVisible < total }

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

    private var thumb: Range<Int> {
        guard hasMoreAbove || hasMoreBelow else { return 0..<0 }
        let track = RowGeometry.titleBarHeight + 12
        let length = RowGeometry.rowsVisible * RowGeometry.rowHeight - 24
        let size = max(20, length * RowGeometry.rowsVisible / total)
        let steps = max(1, total - RowGeometry.rowsVisible)
        let top = track + (length - size) * min(firstVisible, steps) / steps
        return top..<top + size
    }

    /// The pixels of one line of the thumb. The thumb has four columns at the panel's edge, with a ridge every four lines.
    private static func thumbLine(_ line: Int, of count: Int) -> UInt8 {
        if line == 0 || line == count - 1 { return 0b0000_0111 }
        return line % 4 < 2 ? 0b0000_1111 : 0b0000_1001
    }

    /// Returns the pixels of one line of the arrow. The arrow has four lines, and line 0 is the tip.
    private static func arrowLine(_ line: Int) -> UInt8 {
        switch line {
        case 0: 0b0000_1000
        case 1: 0b0001_1100
        case 2: 0b0011_1110
        case _: 0b0111_1111
        }
    }
}
