extension ListAppearance {
    /// Draws what an edit or a turn of the crown changed of the rows: moves the lines of those that stay, and draws the others.
    ///
    /// - Parameters:
    ///   - edit: how the rows differ from those on the panel; several edits take several calls or `drawRows`.
    ///   - previous: the row that is at the top of the panel so far, an index of the list before the edit.
    ///   - rows: the rows after the edit.
    public func update(
        after edit: RowEdit, from previous: Int, _ rows: borrowing some ListRows & ~Copyable,
        into framebuffer: inout Framebuffer
    ) {
        let count = rows.rowCount
        guard count > 0, edit.countBefore(count) > 0 else {
            drawRows(rows, into: &framebuffer)
            return
        }
        // A position is where its row was, above it or below it. Rows that move up are taken from the top down and the
        // others from the bottom up, so that none is overwritten before it has been moved.
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

    /// Draws the scroll indicator, which `update` leaves as it was: it is no part of what a row's going waits for.
    @inline(never)
    public func drawIndicator(rowCount: Int, into framebuffer: inout Framebuffer) {
        guard rowCount > 0 else { return }
        indicator(rowCount: rowCount).draw(into: &framebuffer)
    }

    /// Where the row that goes to `position` is on the panel so far, or nil where it is not there.
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
        // The row at the top alone has no line that parts it from the one above.
        if position == 0 || old == 0 { RowRegion(position: position).drawSeparator(into: &framebuffer) }
    }
}
