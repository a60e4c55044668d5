import WatchLink

struct RowRegion: Sendable, BitwiseCopyable {
    /// 0 for the row under the title bar, to `RowGeometry.rowsVisible - 1`.
    var position: Int

    func draw(_ row: ListRow, into framebuffer: inout Framebuffer) {
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

    /// Strikes through a title of `width` pixels that is drawn here already: changes two lines.
    @inline(__always)
    func strike(width: Int, into framebuffer: inout Framebuffer) {
        let top = baseline &- 5
        let right = min(RowGeometry.textLeft &+ width &+ 3, RowGeometry.indicatorLeft)
        framebuffer.fillOnPanel(Rect(left: RowGeometry.textLeft - 3, top: top, right: right, bottom: top &+ 2))
    }

    /// The width of a title in a row, in pixels, its ellipsis included: 0 to 128.
    static func titleWidth(_ title: ItemTitle) -> Int {
        fit(title).width
    }

    func drawBlank(into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.area(position), .black)
    }

    /// Draws the dotted line above the row. The first row has none, because the title bar ends there.
    func drawSeparator(into framebuffer: inout Framebuffer) {
        // Every fourth pixel between the text's edges.
        let y = RowGeometry.rowTop(position)
        for column in 0..<RowGeometry.indicatorLeft / 8 {
            let dots: UInt8 = column == 0 ? 0b0000_0010 : column == 16 ? 0b0010_0000 : 0b0010_0010
            framebuffer.setByte(position == 0 ? 0 : dots, column: column, line: y)
        }
    }

    private var baseline: Int { RowGeometry.rowTop(position) + 17 }

    private static func fit(_ title: ItemTitle) -> FittedText {
        Font.row.fit(title.utf8, in: RowGeometry.textRight - RowGeometry.textLeft, completeness: title.completeness)
    }
}
