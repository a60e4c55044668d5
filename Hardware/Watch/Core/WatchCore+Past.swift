import WatchLink

// Past items.
extension WatchCore where B: ~Copyable {
    /// Adds a past item that the wearer has touched on its sheet: the panel shows it at once, then the message to the phone is stored,
    /// and then the wearer feels that it is kept. Where it cannot be stored, or there is no room for it, the wearer feels the failure,
    /// and the list is as before.
    @inline(never)
    mutating func addPast(_ id: ItemID, touchedAt instant: Instant) {
        // One that is on the list now was touched twice.
        guard case .sheet(.past, _) = display.screen, data.items.isPast(id) else { return }
        guard !data.outbox.isFull, data.items.count < WatchLimits.items, data.addPast(id) else {
            return board.play(.failure)
        }
        showPast()
        let isKept = issue(.addition(id, at: board.calendar(at: instant)))
        if !isKept {
            data.takeBackPast(id)
            showPast()
        }
        board.play(isKept ? .click : .failure)
    }

    private mutating func showPast() {
        updateComplication()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        display.invalidate(.everything)
        _ = drawIfStale(for: NoMessages.self)
        flush()
    }
}
