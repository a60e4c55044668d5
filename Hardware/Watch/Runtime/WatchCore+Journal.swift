import WatchLink

extension WatchCore where B: ~Copyable {
    /// Reads the journal back, and takes a new identity or a new epoch where what it holds cannot be relied on.
    @inline(never)
    mutating func mountJournal() {
        defer { keptAcknowledged = data.outbox.acknowledgedSequence }
        do throws(JournalError) {
            let report = try journal.mount(flash: &board, replay: &data)
            adoptIdentity(trusting: report.isComplete)
        } catch {
            report(error)
            adoptIdentity(trusting: false)
        }
    }

    /// The phone counts on this watch to have what it was given. Where the journal has lost something, the watch says so by
    /// beginning a new epoch and forgetting the phone's, and is given everything again.
    @inline(never)
    private mutating func adoptIdentity(trusting isComplete: Bool) {
        switch data.identity {
        case .known where isComplete:
            return
        case .known:
            break
        case .unknown:
            data.identity = .known(identity: UInt64(high: random.nextWord(), low: random.nextWord()), epoch: 0)
        }
        data.positions = LinkPositions()
        beginEpoch()
    }

    /// Begins a new stream of messages: those that wait are numbered afresh.
    @inline(never)
    mutating func beginEpoch() {
        guard case .known(let identity, _) = data.identity else { return }
        data.identity = .known(identity: identity, epoch: random.nextWord())
        data.outbox.renumber()
        keep(.identity)
        keep(.positions)
        restartSession()
    }

    /// Writes one record of a kind that is derived from the data.
    mutating func keep(_ kind: RecordKind) {
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        do {
            switch kind {
            case .identity: try data.writeIdentity(&writer)
            case .positions: try data.writePositions(&writer)
            default: preconditionFailure("this kind of record is not written by itself")
            }
        } catch {
            preconditionFailure("a record of a few numbers has room")
        }
        appendRecord(kind, count: writer.count)
    }

    /// Writes the records of the messages that are queued and not in flash yet, one a call. Returns whether it did anything.
    ///
    /// It never waits for the flash chip: while a sector is erased, the messages stay where they are, in memory.
    @inline(never)
    mutating func keepQueuedMessage() -> Bool {
        guard let sequence = data.outbox.nextToKeep, board.flashActivity == .ready else { return false }
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        guard let entry = data.outbox.message(sequence) else {
            data.outbox.markKept(sequence)
            return true
        }
        do {
            let kind = try data.write(entry.message, sequence: sequence, &writer)
            appendRecord(kind, count: writer.count)
        } catch {
            preconditionFailure("a record of a few numbers has room")
        }
        data.outbox.markKept(sequence)
        session.issued(queuedUpTo: sequence)
        mark(.durable, tap: entry.tap)
        return true
    }

    /// Does one small step of the journal's upkeep, when nothing else is going on. Returns whether it did anything.
    @inline(never)
    mutating func maintainJournal() -> Bool {
        // A snapshot is of a state all of whose changes are in flash.
        guard !holdsRows, deferred.isEmpty, data.outbox.nextToKeep == nil else { return false }
        if keepAcknowledgements() { return true }
        switch journal.maintain(flash: &board, client: &data) {
        case .again: return true
        case .idle, .waitingForErase: return false
        case .failed(let error):
            report(error)
            return false
        }
    }

    /// Notes in flash that nothing waits any more. Acknowledgements are not recorded one by one: after a restart the phone's
    /// hello tells them again, and until then the watch would only seem to have something to say.
    private mutating func keepAcknowledgements() -> Bool {
        let acknowledged = data.outbox.acknowledgedSequence
        guard data.outbox.count == 0, acknowledged != keptAcknowledged, board.flashActivity == .ready else {
            return false
        }
        keptAcknowledged = acknowledged
        keep(.positions)
        return true
    }

    /// Writes the order of the whole list, in records of 64 rows.
    mutating func rewriteSortingOrder() {
        var row = 0
        repeat {
            var buffer = scratch
            var writer = CBORWriter(buffer.mutableSpan)
            let end = min(row + 64, data.items.count)
            do {
                while row < end {
                    try writer.unsigned(data.items[row].id.rawValue)
                    row += 1
                }
            } catch {
                preconditionFailure("64 numbers of five bytes have room")
            }
            appendRecord(.sortingOrder, count: writer.count)
        } while row < data.items.count
    }

    /// Writes that an item has left the order, in a record of one number.
    mutating func noteSortingChange(of item: ItemID) {
        var buffer = scratch
        var writer = CBORWriter(buffer.mutableSpan)
        do throws(CBORError) {
            try writer.unsigned(item.rawValue)
        } catch {
            preconditionFailure("a number of five bytes has room")
        }
        appendRecord(.sortingOrder, count: writer.count)
    }

    /// Appends what has been written into the scratch buffer.
    mutating func appendRecord(_ kind: RecordKind, count: Int) {
        do {
            _ = try journal.appendWaiting(
                kind, scratch.slice(0..<count).span, flash: &board, client: &data)
        } catch {
            report(error)
        }
    }

    private mutating func report(_ error: JournalError) {
        board.trace(.journalFailed(error, at: board.now))
    }
}
