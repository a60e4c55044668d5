/// The list screen: title bar, six rows, scroll indicator, or a placeholder where there are no rows.
///
/// `draw` draws everything; the other functions draw what one event changes, where the panel shows the state before it. Each
/// of them leaves the framebuffer as `draw` would.
public struct ListAppearance: Sendable, BitwiseCopyable {
    /// The bar at the top.
    public var titleBar: TitleBar
    /// The row at the top, an index of the list.
    public var firstVisible: Int
    /// Items of the list beyond the rows that the watch has.
    public var more: UInt32
    /// What to show while there are no rows.
    public var placeholder: EmptyListPlaceholder

    /// A list screen.
    public init(titleBar: TitleBar, firstVisible: Int, more: UInt32, placeholder: EmptyListPlaceholder = .allDone) {
        self.titleBar = titleBar
        self.firstVisible = firstVisible
        self.more = more
        self.placeholder = placeholder
    }

    /// Draws the whole screen.
    public func draw(_ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer) {
        titleBar.draw(into: &framebuffer)
        drawRows(rows, into: &framebuffer)
    }

    /// Draws everything under the title bar.
    public func drawRows(_ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer) {
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

    /// Draws the row at one position, or blank where the list has none. The list is not empty.
    @inline(never)
    public func drawRow(
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

    /// Strikes the row at `index` through, whose title is `width` pixels wide (0 to 128), where it is visible below
    /// `firstVisible`: changes two lines.
    ///
    /// It is what the wearer waits for, so it needs neither the title bar nor the title.
    public static func strikeRow(at index: Int, firstVisible: Int, width: Int, into framebuffer: inout Framebuffer) {
        let position = index - firstVisible
        guard position >= 0, position < RowGeometry.rowsVisible else { return }
        RowRegion(position: position).strike(width: width, into: &framebuffer)
    }

    func indicator(rowCount: Int) -> ScrollIndicator {
        ScrollIndicator(firstVisible: firstVisible, total: rowCount + Int(min(more, 1_000_000)))
    }
}
