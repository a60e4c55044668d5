import WatchLink

extension WatchCore where B: ~Copyable {
    /// Decides what a touch on a row means, and begins a tap where it means one.
    ///
    /// A touch on the row that is struck already is a bounce or a double tap and means nothing. A touch on another row
    /// lets the struck one go at once.
    mutating func beginTap(_ target: TouchTargets.Target, at instant: Instant) -> Tap? {
        if struck.item == target.item { return nil }
        removeStruckRow()
        guard let row = row(of: target.item, near: target.row), data.items[row].state == .waiting else { return nil }
        guard data.outbox.count + deferred.count < WatchLimits.outbox else {
            board.play(.failure)
            return nil
        }
        taps &+= 1
        let tap = Tap(
            number: TapNumber(taps), item: target.item, row: row, touchedAt: instant, checkedAt: board.calendar)
        board.trace(.mark(.touch, tap: tap.number, at: instant))
        return tap
    }

    /// Marks the tapped item as struck and draws its row so.
    mutating func strike(_ tap: Tap) {
        guard let row = row(of: tap.item, near: tap.row) else { return }
        data.items.setState(.struck, ofRow: row)
        struck = .held(tap, until: tap.touchedAt + WatchLimits.struckRowHold)
        drawStruck(row: row)
    }

    /// Starts the time for which the struck row stays under the finger.
    mutating func holdStruckRow(_ tap: Tap) {
        guard struck.item == tap.item else { return }
        struck = .held(tap, until: tap.touchedAt + WatchLimits.struckRowHold)
    }

    /// Lets the struck row go when its time has come. Returns whether it did anything.
    mutating func removeStruckRowIfDue() -> Bool {
        guard let deadline = struck.deadline, deadline <= board.now else { return false }
        removeStruckRow()
        return true
    }

    /// Takes the struck row away, if there is one, and closes the gap on the panel.
    @inline(never)
    mutating func removeStruckRow() {
        switch struck {
        case .none:
            return
        case .held(let tap, let until):
            let began = board.now
            // On purpose it stays from when it was shown: after a slow handler that is not at all.
            let left = min(until, began)
            let held = left > struckShown ? left - struckShown : .zero
            struck = .none
            if let row = row(of: tap.item, near: tap.row) {
                data.items.remove(row: row)
                if data.items.isEmpty, data.more == 0, let time = tap.checkedAt { data.lastTrip = .ended(time) }
                drawRemoval(of: row)
            }
            let settled = Instant(microseconds: flushPanel().microseconds &- held.count)
            board.trace(.mark(.settled, tap: tap.number, at: settled))
            drawIndicator()
        }
    }

    /// Whether the struck row keeps the rows where they are.
    var holdsRows: Bool {
        switch struck {
        case .none: false
        case .held: true
        }
    }

    /// The row of an item that was at `row` when it was last seen.
    func row(of item: ItemID, near row: Int) -> Int? {
        // Nearly always the row is where it was drawn: no search, so that a tap costs the same on a long list.
        if row < data.items.count, data.items[row].id == item { return row }
        return data.items.row(of: item)
    }
}
