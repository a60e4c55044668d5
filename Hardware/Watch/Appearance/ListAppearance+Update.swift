extension ListAppearance {
    /// Draws what an edit or a turn of the crown changed: moves the rows that stay visible and draws the others.
    ///
    /// - Parameters:
    ///   - edit: the difference from the rows on the panel; several edits take several calls or `drawRows`.
    ///   - previous: the row at the top of the panel before the edit, an index of the list before the edit.
    ///   - rows: the rows after the edit.
    func update(
        after edit: RowEdit, from previous: Int, _ rows: borrowing some ListRows & ~Copyable,
        into framebuffer: inout Framebuffer
    ) {
        let count = rows.rowCount
        guard count > 0, edit.countBefore(count) > 0 else {
            drawRows(rows, into: &framebuffer)
            return
        }
        // Rows that move up are moved from the top down, rows that move down from the bottom up, so that none is
        // overwritten before it has been moved.
        let visible = RowGeometry.rowsVisible
        for position in 0..<visible {
            guard let old = oldPosition(of: position, edit, previous, count), old > position else { continue }
            move(from: old, to: position, into: &framebuffer)
        }
        for position in (0..<visible).reversed() {
            guard let old = oldPosition(of: position, edit, previous, count), old < position else { continue }
            move(from: old, to: position, into: &framebuffer)
        }
        for position in 0..<visible where oldPosition(of: position, edit, previous, count) == nil {
            drawRow(at: position, rows, into: &framebuffer)
        }
    }

    /// Draws the scroll indicator, which `update` leaves out because the wearer does not wait for it.
    @inline(never)
    func drawIndicator(rowCount: Int, into framebuffer: inout Framebuffer) {
        guard rowCount > 0 else { return }
        indicator(rowCount: rowCount).draw(into: &framebuffer)
    }

    /// The position that the row for `position` has on the panel now, nil where it is not visible.
    @inline(never)
    private func oldPosition(of position: Int, _ edit: RowEdit, _ previous: Int, _ count: Int) -> Int? {
        let index = firstVisible + position
        guard index < count, let oldIndex = edit.indexBefore(index) else { return nil }
        let old = oldIndex - previous
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
