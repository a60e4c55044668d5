/// The list screen: title bar, six rows, scroll indicator, or a placeholder where there are no rows.
///
/// `draw` draws everything; the other functions draw what one event changes, on a panel that shows the state before the
/// event. Each leaves the framebuffer as `draw` would.
struct ListAppearance: Sendable, BitwiseCopyable {
    var titleBar: TitleBar
    /// The row at the top, an index of the list.
    var firstVisible: Int
    /// Items of the phone's list beyond the watch's rows.
    var more: UInt32
    var placeholder: EmptyListPlaceholder

    func draw(_ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer) {
        titleBar.draw(into: &framebuffer)
        drawRows(rows, into: &framebuffer)
    }

    /// Draws everything under the title bar.
    func drawRows(_ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer) {
        let count = rows.rowCount
        guard count > 0 else {
            placeholder.draw(into: &framebuffer)
            return
        }
        for position in 0..<RowGeometry.rowsVisible {
            drawRow(at: position, rows, into: &framebuffer)
        }
        indicator(rowCount: count).draw(into: &framebuffer)
    }

    /// Draws the row at a position, or a blank where the list has no row. The list must not be empty.
    @inline(never)
    func drawRow(
        at position: Int, _ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer
    ) {
        let index = firstVisible + position
        let region = RowRegion(position: position)
        if index < rows.rowCount {
            region.draw(rows.row(at: index), into: &framebuffer)
        } else {
            region.drawBlank(into: &framebuffer)
        }
    }

    /// Strikes through the row at `index` if it is visible: changes two lines.
    ///
    /// The wearer waits for it, so it needs neither the title bar nor the title.
    ///
    /// - Parameter width: the title's width in pixels, 0 to 128.
    static func strikeRow(at index: Int, firstVisible: Int, width: Int, into framebuffer: inout Framebuffer) {
        let position = index - firstVisible
        guard position >= 0, position < RowGeometry.rowsVisible else { return }
        RowRegion(position: position).strike(width: width, into: &framebuffer)
    }

    func indicator(rowCount: Int) -> ScrollIndicator {
        ScrollIndicator(firstVisible: firstVisible, total: rowCount + Int(min(more, 1_000_000)))
    }
}
