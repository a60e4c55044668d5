import WatchLink

extension WatchCore where B: ~Copyable {
    /// Draws a new identity for a new watch, and a new epoch where the journal has lost something.
    ///
    /// The phone relies on what this watch has applied. With a new epoch, and the phone's epoch forgotten, the watch
    /// receives everything again.
    @inline(never)
    mutating func adoptIdentity(journalIsComplete isComplete: Bool) {
        switch (data.identity, isComplete) {
        case (.known, true):
            break
        case (.known(let identity, _), false):
            data.forgetPhone()
            beginEpoch(identity)
        case (.unknown, _):
            data.forgetPhone()
            beginEpoch(UInt64(high: nextRandomWord(), low: nextRandomWord()))
        }
    }

    /// Begins a new stream of messages, in which the waiting ones get new numbers.
    @inline(never)
    mutating func beginEpoch(_ identity: UInt64) {
        data.adopt(.known(identity: identity, epoch: nextRandomWord()))
        data.outbox.renumber()
        store.keep(.identity, room: .made, of: &data, on: &board)
        store.keep(.positions, room: .made, of: &data, on: &board)
        restartSession()
    }

    /// Begins a session with the identity of the journal.
    mutating func restartSession() {
        switch data.identity {
        case .unknown: preconditionFailure("a watch has an identity once its journal is mounted")
        case .known(let identity, let epoch): link.restart(identity: identity, epoch: epoch)
        }
    }

    /// Stores a message to the phone, after which the link may send it. Returns whether it is stored; if not, there is no
    /// such message.
    @inline(never)
    mutating func issue(_ message: OutboxMessage, tap: TapNumber? = nil) -> Bool {
        guard let sequence = store.issue(message, tap: tap, of: &data, on: &board) else { return false }
        link.issued(upTo: sequence)
        if let tap { mark(.durable, tap: tap) }
        return true
    }

    /// Takes a tap back that could not be stored: its row is as before the touch, and the wearer feels the failure.
    @inline(never)
    mutating func refuse(_ tap: Tap) {
        taps.refuse(tap)
        if let row = data.items.row(of: tap.item, near: tap.row) { data.items.putBack(row: row) }
        board.play(.failure)
        updateComplication()
        display.setPlaceholder(data.placeholder, rows: data.items.count)
        display.invalidate(.listScreen)
        display.invalidateUnlessList()
    }

    /// Does one small step of the journal's upkeep. Returns whether it did anything. While a tap has stages to run,
    /// nothing is done: it may not be in flash yet.
    mutating func maintainJournal() -> Bool {
        guard taps.deferred.isEmpty else { return false }
        return store.maintain(&data, on: &board)
    }
}
