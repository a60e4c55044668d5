import WatchLink

/// Draws the list screen, or the sheet of past items. The function `draw` draws the whole screen. Each other drawing function
/// draws a part of the screen, and produces exactly the pixels that `draw` produces there.
struct ListAppearance: Sendable, BitwiseCopyable {
    var titleBar: TitleBar
    var firstVisible: Int
    var more: UInt32
    var placeholder: EmptyListPlaceholder

    func draw(_ rows: ItemRows, into framebuffer: inout Framebuffer) {
        titleBar.draw(into: &framebuffer)
        drawRows(rows, into: &framebuffer)
    }

    func drawRows(_ rows: ItemRows, into framebuffer: inout Framebuffer) {
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

    /// Draws the row at a position on the panel, or a blank if the position is below the end of the list. The list must have
    /// rows.
    @inline(never)
    func drawRow(at position: Int, _ rows: ItemRows, into framebuffer: inout Framebuffer) {
        let index = firstVisible + position
        let region = RowRegion(position: position)
        if index < rows.rowCount {
            region.draw(rows[index], into: &framebuffer)
        } else {
            region.drawBlank(into: &framebuffer)
        }
    }

    /// Draws a strike through the title of the row at `index`, if the row is on the panel. Changes only two lines of pixels,
    /// because the wearer waits. The title is `width` pixels wide.
    static func strikeRow(at index: Int, firstVisible: Int, width: Int, into framebuffer: inout Framebuffer) {
        let position = index - firstVisible
        guard position >= 0, position < RowGeometry.rowsVisible else { return }
        RowRegion(position: position).strike(width: width, into: &framebuffer)
    }

    func indicator(rowCount: Int) -> ScrollIndicator {
        ScrollIndicator(firstVisible: firstVisible, total: rowCount + Int(min(more, 1_000_000)))
    }

    /// After the removal of a row, moves the other rows to their new positions, and draws the rows that come into view. Before
    /// the removal, `place` was the index of the removed row, and `previous` was the index of the first visible row.
    func closeGap(
        at place: Int, from previous: Int, _ rows: ItemRows, into framebuffer: inout Framebuffer
    ) {
        guard rows.rowCount > 0 else {
            drawRows(rows, into: &framebuffer)
            return
        }
        // Rows that move up are copied in order from the top, and rows that move down in order from the bottom. So each row is
        // copied before it is overwritten.
        let visible = RowGeometry.rowsVisible
        for position in 0..<visible {
            guard let old = oldPosition(of: position, place, previous, rows.rowCount), old > position else { continue }
            move(from: old, to: position, into: &framebuffer)
        }
        for position in (0..<visible).reversed() {
            guard let old = oldPosition(of: position, place, previous, rows.rowCount), old < position else { continue }
            move(from: old, to: position, into: &framebuffer)
        }
        for position in 0..<visible where oldPosition(of: position, place, previous, rows.rowCount) == nil {
            drawRow(at: position, rows, into: &framebuffer)
        }
    }

    /// Draws the scroll indicator. `closeGap` leaves it out, because the wearer does not wait for the indicator.
    @inline(never)
    func drawIndicator(rowCount: Int, into framebuffer: inout Framebuffer) {
        guard rowCount > 0 else { return }
        indicator(rowCount: rowCount).draw(into: &framebuffer)
    }

    /// Returns the old position of the row whose new position is `position`. Nil if the row was not on the panel.
    @inline(never)
    private func oldPosition(of position: Int, _ place: Int, _ previous: Int, _ count: Int) -> Int? {
        let index = firstVisible + position
        guard index < count else { return nil }
        let old = (index < place ? index : index + 1) - previous
        return old >= 0 && old < RowGeometry.rowsVisible ? old : nil
    }

    @inline(never)
    private func move(from old: Int, to position: Int, into framebuffer: inout Framebuffer) {
        framebuffer.moveLines(
            from: RowGeometry.rowTop(old), to: RowGeometry.rowTop(position), count: RowGeometry.rowHeight,
            width: RowGeometry.indicatorLeft)
        // Only the first row has no separator.
        if position == 0 || old == 0 { RowRegion(position: position).drawSeparator(into: &framebuffer) }
    }
}

/// What the list screen shows if the list has no rows.
public enum EmptyListPlaceholder: UInt8, Sendable, BitwiseCopyable {
    /// No placeholder: the list has open items, or the last one was just checked off and the watch has not chosen a
    /// placeholder yet.
    case none
    case allDone
    case noListYet
    /// The watch has no open item, but the phone has not sent the whole list yet, or has more items than the watch stores.
    case moreToCome
    /// The complete list has arrived, and has never had an item.
    case nothingYet
    case noPast

    func draw(into framebuffer: inout Framebuffer) {
        framebuffer.fill(RowGeometry.listArea, .black)
        let middle = PanelGeometry.width / 2
        switch self {
        case .none:
            break
        case .allDone:
            framebuffer.fillDisc(at: Point(x: middle - 30, y: 40), diameter: 60)
            framebuffer.drawTick(at: Point(x: middle - 18, y: 52), size: 12, thickness: 9, .black)
            framebuffer.draw(("All done" as StaticString).utf8, .title, centredAt: middle, baseline: 128)
            framebuffer.draw(("Swipe: add again" as StaticString).utf8, .row, centredAt: middle, baseline: 148)
        case .noListYet:
            EmptyListPlaceholder.drawPhone("No list yet", "Add on the phone", into: &framebuffer)
        case .moreToCome:
            EmptyListPlaceholder.drawPhone("More to come", "from the phone", into: &framebuffer)
        case .nothingYet:
            EmptyListPlaceholder.drawPhone("Nothing yet", "Add on the phone", into: &framebuffer)
        case .noPast:
            EmptyListPlaceholder.drawPhone("No past items", "from the phone", into: &framebuffer)
        }
    }

    private static func drawPhone(
        _ heading: StaticString, _ text: StaticString, into framebuffer: inout Framebuffer
    ) {
        let middle = PanelGeometry.width / 2
        PhoneIcon(link: .connecting).drawLarge(at: Point(x: middle - 18, y: 40), into: &framebuffer)
        framebuffer.draw(heading.utf8, .title, centredAt: middle, baseline: 128)
        framebuffer.draw(text.utf8, .row, centredAt: middle, baseline: 148)
    }
}

/// How the list screen shows a row's title.
public enum RowState: UInt8, Sendable, BitwiseCopyable {
    case waiting = 0
    /// Struck through: the item has just been checked off.
    case struck = 1
}
