import WatchLink

/// The place of one row on the panel.
public struct RowRegion: Sendable, BitwiseCopyable {
    /// 0 for the row under the title bar, to `RowGeometry.rowsVisible - 1`.
    public var position: Int

    /// The row at `position`.
    public init(position: Int) {
        self.position = position
    }

    /// Draws a row of the list.
    public func draw(_ row: ListRow, into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.area(position), .black)
        drawSeparator(into: &framebuffer)
        let fitted = RowRegion.fit(row.title)
        framebuffer.draw(
            row.title.utf8.extracting(first: fitted.byteCount), .row, at: Point(x: RowGeometry.textLeft, y: baseline),
            ending: fitted.ending)
        switch row.state {
        case .waiting: break
        case .struck: strike(width: fitted.width, into: &framebuffer)
        }
    }

    /// Strikes a title of `width` pixels through that is already drawn here: changes two lines and no others.
    @inline(__always)
    public func strike(width: Int, into framebuffer: inout Framebuffer) {
        let top = baseline &- 5
        let right = min(RowGeometry.textLeft &+ width &+ 3, RowGeometry.indicatorLeft)
        framebuffer.fillOnPanel(Rect(left: RowGeometry.textLeft - 3, top: top, right: right, bottom: top &+ 2))
    }

    /// The pixels that a title takes in a row, its ellipsis included: 0 to 128.
    public static func titleWidth(_ title: ItemTitle) -> Int {
        fit(title).width
    }

    /// Draws the place as one where the list has no row.
    public func drawBlank(into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.area(position), .black)
    }

    /// Draws the dotted line that parts this row from the one above. The first has none: the title bar ends there.
    func drawSeparator(into framebuffer: inout Framebuffer) {
        // A pixel in four, between the text's edges.
        let y = RowGeometry.rowTop(position)
        for column in 0..<RowGeometry.indicatorLeft / 8 {
            let dots: UInt8 = column == 0 ? 0b0000_0010 : column == 16 ? 0b0010_0000 : 0b0010_0010
            framebuffer.setByte(position == 0 ? 0 : dots, column: column, line: y)
        }
    }

    private var baseline: Int { RowGeometry.rowTop(position) + 17 }

    private static func fit(_ title: ItemTitle) -> FittedText {
        Font.row.fit(
            title.utf8, in: RowGeometry.textRight - RowGeometry.textLeft, completeness: title.completeness)
    }
}
