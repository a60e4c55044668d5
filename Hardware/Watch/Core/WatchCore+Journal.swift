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
        store.keep(.identity, of: &data, on: &board)
        store.keep(.positions, of: &data, on: &board)
        restartSession()
    }

    /// Begins a session with the identity of the journal.
    mutating func restartSession() {
        switch data.identity {
        case .unknown: preconditionFailure("a watch has an identity once its journal is mounted")
        case .known(let identity, let epoch): link.restart(identity: identity, epoch: epoch)
        }
    }

    /// Stores the oldest message that is not in flash yet, after which the link may send it. Returns whether there was
    /// one.
    @inline(never)
    mutating func keepQueuedMessage() -> Bool {
        switch store.keepNextMessage(of: &data, on: &board) {
        case nil:
            return false
        case .withdrawn:
            return true
        case .kept(let sequence, let tap):
            link.issued(upTo: sequence)
            if let tap { mark(.durable, tap: tap) }
            return true
        }
    }

    /// Does one small step of the journal's upkeep if nothing else is to be done. Returns whether it did anything.
    mutating func maintainJournal() -> Bool {
        guard !taps.holdsRow, taps.deferred.isEmpty, data.outbox.nextToKeep == nil else { return false }
        return store.maintain(&data, on: &board)
    }
}
