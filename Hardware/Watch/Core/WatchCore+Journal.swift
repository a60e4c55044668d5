import WatchLink

extension WatchCore where B: ~Copyable {
    /// Takes a new identity or a new epoch where what the flash holds cannot be relied on.
    ///
    /// The phone counts on this watch to have what it was given. Where the journal has lost something, the watch says so by
    /// beginning a new epoch and forgetting the phone's, and is given everything again.
    @inline(never)
    mutating func adoptIdentity(trusting contents: StoreContents) {
        switch (data.identity, contents) {
        case (.known, .complete):
            return
        case (.known, .incomplete):
            break
        case (.unknown, _):
            let identity = UInt64(high: nextRandomWord(), low: nextRandomWord())
            data.adopt(.known(identity: identity, epoch: 0))
        }
        data.forgetPhone()
        beginEpoch()
    }

    /// Begins a new stream of messages: those that wait are numbered afresh.
    @inline(never)
    mutating func beginEpoch() {
        switch data.identity {
        case .unknown:
            return
        case .known(let identity, _):
            data.adopt(.known(identity: identity, epoch: nextRandomWord()))
        }
        data.outbox.renumber()
        store.keep(.identity, of: &data, on: &board)
        store.keep(.positions, of: &data, on: &board)
        restartSession()
    }

    /// Begins the session of a watch with the identity that the journal holds.
    mutating func restartSession() {
        switch data.identity {
        case .unknown: preconditionFailure("a watch has an identity once its journal is mounted")
        case .known(let identity, let epoch): link.restart(identity: identity, epoch: epoch)
        }
    }

    /// Keeps the oldest message that is not in flash yet, and lets the link send it. Returns whether there was one.
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

    /// Does one small step of the journal's upkeep, when nothing else is going on. Returns whether it did anything.
    mutating func maintainJournal() -> Bool {
        guard !taps.holdsRow, taps.isQueueEmpty, data.outbox.nextToKeep == nil else { return false }
        return store.maintain(&data, on: &board)
    }
}
