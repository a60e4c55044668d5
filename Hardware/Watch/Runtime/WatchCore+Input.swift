import WatchLink

extension WatchCore where B: ~Copyable {
    /// The row under a touch, on the panel as it was when the finger came down.
    mutating func target(x: Int16, y: Int16, at instant: Instant) -> TouchTargets.Target? {
        switch screen {
        case .list: break
        case .face, .sheet: return nil
        }
        guard (0..<PanelGeometry.width).contains(Int(x)), let position = RowGeometry.row(atY: Int(y)) else {
            return nil
        }
        return instant < targets.shownSince ? targetsBefore.target(at: position) : targets.target(at: position)
    }

    /// A touch that is on no row.
    @inline(never)
    mutating func touchElsewhere(y: Int16, at instant: Instant) {
        switch screen {
        case .list(let state):
            if Int(y) < RowGeometry.titleBarHeight { show(.sheet(.status, returningTo: .list(state))) }
        case .face:
            // The face is one complication: touching it opens the list.
            show(.list(ListState()))
        case .sheet(.pairing(_, let since), let under):
            answer(.same, shownSince: since, at: instant, returningTo: under)
        case .sheet(.status, let under), .sheet(.fullTitle, let under):
            show(under.screen)
        }
    }

    /// The crown: scrolls the list, travels in time on the face.
    @inline(never)
    mutating func turnCrown(_ detents: Int8) {
        switch screen {
        case .list(let state):
            scroll(state, by: Int(detents))
        case .face(let state):
            travel(state, by: Int(detents))
        case .sheet(.fullTitle(let id), let under):
            readOn(from: id, by: Int(detents), returningTo: under)
        case .sheet(.status, _), .sheet(.pairing, _):
            break
        }
    }

    /// A button.
    @inline(never)
    mutating func press(_ button: Button, at instant: Instant) {
        switch (button, screen) {
        case (.crown, .list): show(.face(.now))
        case (.crown, .face(.now)): show(.list(ListState()))
        case (.crown, .face(.travelling)): show(.face(.now))
        case (.side, .list(let state)): readTitle(state)
        case (.side, .face(let state)): show(.sheet(.status, returningTo: .face(state)))
        case (.crown, .sheet(.pairing(_, let since), let under)):
            answer(.same, shownSince: since, at: instant, returningTo: under)
        case (.side, .sheet(.pairing(_, let since), let under)):
            answer(.different, shownSince: since, at: instant, returningTo: under)
        case (_, .sheet(.status, let under)), (_, .sheet(.fullTitle, let under)): show(under.screen)
        }
    }

    /// Changes the screen. A struck row is let go first: it belongs to the screen that is left.
    mutating func show(_ next: Screen) {
        removeStruckRow()
        screen = next
        stale = .everything
        clampScroll()
    }

    private mutating func scroll(_ state: ListState, by rows: Int) {
        removeStruckRow()
        let last = max(0, data.items.count - RowGeometry.rowsVisible)
        let first = max(0, min(last, state.firstVisibleRow + rows))
        guard first != state.firstVisibleRow else { return }
        screen = .list(ListState(firstVisibleRow: first))
        stale.insert(.rows)
    }

    private mutating func travel(_ state: FaceState, by detents: Int) {
        guard let time = board.calendar else { return }
        let range = data.timeline.travelRange(from: time)
        let present: Int
        switch state {
        case .now: present = 0
        case .travelling(let steps): present = Int(steps)
        }
        let steps = max(range.lower, min(range.upper, present + detents))
        guard steps != present else { return }
        screen = .face(steps == 0 ? .now : .travelling(steps: Int8(truncatingIfNeeded: steps)))
        stale = .everything
    }

    /// Shows the whole title of the first visible row; the crown then goes on to the others.
    private mutating func readTitle(_ state: ListState) {
        removeStruckRow()
        guard state.firstVisibleRow < data.items.count else {
            return show(.sheet(.status, returningTo: .list(state)))
        }
        show(.sheet(.fullTitle(data.items[state.firstVisibleRow].id), returningTo: .list(state)))
    }

    private mutating func readOn(from id: ItemID, by rows: Int, returningTo under: Screen.Underlying) {
        guard let row = data.items.row(of: id) else { return show(under.screen) }
        let next = max(0, min(data.items.count - 1, row + rows))
        show(.sheet(.fullTitle(data.items[next].id), returningTo: under))
    }

    /// Keeps the first visible row where the list still has rows to fill the panel.
    mutating func clampScroll() {
        switch screen {
        case .list(let state):
            let last = max(0, data.items.count - RowGeometry.rowsVisible)
            if state.firstVisibleRow > last { screen = .list(ListState(firstVisibleRow: last)) }
        case .face, .sheet:
            break
        }
    }
}
