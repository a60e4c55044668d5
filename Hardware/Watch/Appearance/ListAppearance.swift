import WatchLink

/// The list screen: title bar, six rows, scroll indicator, or a placeholder if there are no rows.
///
/// `draw` draws everything. The other functions draw what one event changes, and leave the framebuffer as `draw` would.
struct ListAppearance: Sendable, BitwiseCopyable {
    var titleBar: TitleBar
    /// The index of the top row of the panel in the list.
    var firstVisible: Int
    var more: UInt32
    var placeholder: EmptyListPlaceholder

    func draw(_ rows: borrowing some ListRows & ~Copyable, into framebuffer: inout Framebuffer) {
        titleBar.draw(into: &framebuffer)
        drawRows(rows, into: &framebuffer)
    }

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

    /// Draws a row, or a blank below the end of the list. The list must not be empty.
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

    /// Strikes through the row at `index` if it is visible: changes two lines. The wearer waits for it, so it draws no title and
    /// takes only its `width` in pixels, 0 to 128.
    static func strikeRow(at index: Int, firstVisible: Int, width: Int, into framebuffer: inout Framebuffer) {
        let position = index - firstVisible
        guard position >= 0, position < RowGeometry.rowsVisible else { return }
        RowRegion(position: position).strike(width: width, into: &framebuffer)
    }

    func indicator(rowCount: Int) -> ScrollIndicator {
        ScrollIndicator(firstVisible: firstVisible, total: rowCount + Int(min(more, 1_000_000)))
    }

    /// Moves the rows below a removed one up and draws the new ones.
    ///
    /// - Parameters:
    ///   - place: the index that the removed row had.
    ///   - previous: the index of the row at the top of the panel before the removal.
    ///   - rows: the rows after the removal.
    func closeGap(
        at place: Int, from previous: Int, _ rows: borrowing some ListRows & ~Copyable,
        into framebuffer: inout Framebuffer
    ) {
        guard rows.rowCount > 0 else {
            drawRows(rows, into: &framebuffer)
            return
        }
        // Upward moves begin at the top row, downward moves at the bottom row, so that no row is overwritten before it moves.
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

    /// `closeGap` leaves the scroll indicator out, because the wearer does not wait for it.
    @inline(never)
    func drawIndicator(rowCount: Int, into framebuffer: inout Framebuffer) {
        guard rowCount > 0 else { return }
        indicator(rowCount: rowCount).draw(into: &framebuffer)
    }

    /// The present position on the panel of the row for `position`, nil if it is not visible.
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
        // The first row alone has no separator.
        if position == 0 || old == 0 { RowRegion(position: position).drawSeparator(into: &framebuffer) }
    }
}

/// The message in place of the rows of an empty list.
public enum EmptyListPlaceholder: UInt8, Sendable, BitwiseCopyable {
    /// There are rows, or the last one is about to go.
    case none
    case allDone
    case noListYet
    /// The list has not arrived in full, or goes on beyond the watch.
    case moreToCome
    /// The list has arrived, and no item was ever on it.
    case nothingYet
    /// There are no past items to add again.
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

struct ListRow: Sendable, BitwiseCopyable {
    var title: ItemTitle
    var state: RowState
}

protocol ListRows: ~Copyable {
    var rowCount: Int { get }

    /// `index` counts in the order of the list.
    func row(at index: Int) -> ListRow
}

/// How a row of the list shows its title.
public enum RowState: UInt8, Sendable, BitwiseCopyable {
    case waiting = 0
    /// The item has just been checked off.
    case struck = 1
}
