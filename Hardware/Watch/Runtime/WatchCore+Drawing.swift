import WatchLink

extension WatchCore where B: ~Copyable {
    /// Draws what is stale and sends it to the panel. Returns whether there was anything to do.
    ///
    /// While a struck row is under the finger the rows stay where they are, whatever the phone says meanwhile.
    @inline(never)
    mutating func redrawIfStale() -> Bool {
        noticeMinute()
        let regions = stale
        switch (regions, screen) {
        case (.nothing, _):
            // Something may have been drawn and left for now.
            guard framebuffer.hasChanges else { return false }
        case (.rows, .list) where holdsRows:
            return false
        case (.listScreen, .list) where holdsRows, (.everything, .list) where holdsRows:
            stale = .rows
            drawTitleBar()
        case (.title, _), (.rows, _), (.listScreen, _), (.everything, _):
            stale = .nothing
            draw(regions)
        }
        flushPanel()
        return true
    }

    private mutating func draw(_ regions: StaleRegions) {
        switch screen {
        case .list: drawList(regions)
        case .face(let state): drawFace(state)
        case .sheet(let sheet, _): drawSheet(sheet)
        }
    }

    /// Sends the changed lines to the panel and notes which rows are on it from now on. Returns the time when the last of
    /// them is there, or now where there are none.
    @inline(never)
    @discardableResult
    mutating func flushPanel() -> Instant {
        guard framebuffer.flush(to: &board) > 0 else { return board.now }
        // The last lines are still on their way: what can be done meanwhile costs no time.
        let news = noteTargets()
        board.finishLines()
        let now = board.now
        switch news {
        case .sameRows: break
        case .otherRows: targets.shownSince = now
        }
        board.trace(.screenChanged(at: now))
        return now
    }

    /// Whether a picture has other rows than the one before.
    private enum TargetNews {
        case sameRows
        case otherRows
    }

    /// Notes which rows the panel is about to show. Those before are kept for touches that were made on them, whatever else was
    /// drawn since.
    private mutating func noteTargets() -> TargetNews {
        switch screen {
        case .list(let state):
            let (first, rows) = (state.firstVisibleRow, RowGeometry.rowsVisible)
            if targets.areRows(of: data.items, firstRow: first, rows: rows) { return .sameRows }
            swap(&targets, &targetsBefore)
            targets.show(data.items, firstRow: first, rows: rows)
        case .face, .sheet:
            swap(&targets, &targetsBefore)
            targets.showNone()
        }
        return .otherRows
    }

    /// The list screen as it is to look.
    private func appearance(_ state: ListState) -> ListAppearance {
        ListAppearance(
            titleBar: titleBar, firstVisible: state.firstVisibleRow, more: data.more, placeholder: placeholder)
    }

    private var titleBar: TitleBar {
        TitleBar(title: data.title, remaining: remaining, link: linkIndicator)
    }

    @inline(never)
    private mutating func drawList(_ regions: StaleRegions) {
        clampScroll()
        guard case .list(let state) = screen else { return }
        let appearance = appearance(state)
        if regions.contains(.title) { appearance.titleBar.draw(into: &framebuffer) }
        if regions.contains(.rows) { appearance.drawRows(data.items, into: &framebuffer) }
    }

    /// Draws the title bar, if the list is on the panel.
    mutating func drawTitleBar() {
        guard case .list = screen else { return }
        titleBar.draw(into: &framebuffer)
    }

    /// Strikes the row through: two lines.
    mutating func drawStruck(row: Int) {
        guard case .list(let state) = screen else { return }
        ListAppearance.strikeRow(at: row, firstVisible: state.firstVisibleRow, data.items, into: &framebuffer)
    }

    /// Moves the rows below up by one and draws the one that comes in at the bottom.
    @inline(never)
    mutating func drawRemoval(of row: Int) {
        guard case .list(let before) = screen else { return }
        clampScroll()
        guard case .list(let after) = screen else { return }
        if stale.contains(.rows) || data.items.isEmpty {
            drawStaleRows()
            return
        }
        appearance(after).update(
            after: .removed(at: row), from: before.firstVisibleRow, data.items, into: &framebuffer)
    }

    /// Draws the scroll indicator of a list from which a row has gone. It goes to the panel when there is time.
    @inline(never)
    mutating func drawIndicator() {
        guard case .list(let state) = screen else { return }
        appearance(state).drawIndicator(rowCount: data.items.count, into: &framebuffer)
    }

    /// Draws rows that have changed while a struck one kept them where they were.
    private mutating func drawStaleRows() {
        switch stale {
        case .nothing, .rows: stale = .nothing
        case .title, .listScreen: stale = .title
        case .everything: return
        }
        drawList(.rows)
    }

    /// Decides what stands in the list's place while it has no rows.
    mutating func updatePlaceholder() {
        placeholder = data.positions.peerEpoch == 0 && data.title.isEmpty ? .noListYet : .allDone
    }
}
