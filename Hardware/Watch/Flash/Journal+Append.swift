extension Journal {
    /// Programs one record; it survives any loss of power from the moment this returns. Never waits for an erase.
    ///
    /// Costs one page program, one more for every page boundary that the record crosses, and twice that while a snapshot is
    /// being taken. A record that cannot be programmed is tried once more on a fresh page.
    ///
    /// - Parameters:
    ///   - kind: what it holds; 0 and 255 are the journal's own and trap.
    ///   - payload: 0 to `maximumPayload` bytes.
    /// - Throws: `.busy` and `.full` before anything is written; `.recordTooLong`; `.notMounted`; `.flash`, after which the
    ///   record may or may not be found by the next mount.
    public mutating func append(
        _ kind: RecordKind, _ payload: Span<UInt8>, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        precondition(kind.isForClients, "record kinds 0 and 255 are the journal's own")
        guard active != nil else { throw .notMounted }
        guard payload.count <= Journal.maximumPayload else { throw .recordTooLong }
        switch flash.flashActivity {
        case .erasing: throw .busy
        case .ready: break
        }
        for index in 0..<payload.count { buffer[JournalFormat.recordHeaderSize + index] = payload[index] }
        try appendToActive(kind, count: payload.count, flash: &flash)
        appendToSnapshot(kind, count: payload.count, flash: &flash)
    }

    /// Appends a record and does whatever has to be done first, even if that means waiting for erases: for a caller that has
    /// nothing better to do, or a queue of its own that is full.
    ///
    /// - Parameter client: the state, for when a snapshot has to be taken now. Every change to it but this one has been appended.
    /// - Throws: as `append`, but `.busy` never, and `.full` only if no room can be made.
    @discardableResult
    public mutating func appendWaiting(
        _ kind: RecordKind, _ payload: Span<UInt8>, flash: inout some NORFlash & ~Copyable,
        client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> AppendOutcome {
        var outcome = AppendOutcome.kept
        switch flash.flashActivity {
        case .erasing:
            try waitForErase(flash: &flash)
            outcome = .keptAfterWaiting(erases: 1)
        case .ready: break
        }
        do {
            try append(kind, payload, flash: &flash)
        } catch .full {
            outcome = .keptAfterWaiting(erases: try compact(flash: &flash, client: &client))
            try append(kind, payload, flash: &flash)
        }
        return outcome
    }

    /// Programs the record in the buffer to the active bank.
    private mutating func appendToActive(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        do {
            try programAtEnd(kind, count: count, flash: &flash)
        } catch .flash(.verifyFailed) {
            // This page cannot be relied on; the next one may be sound. If the second attempt fails as well, that is told.
            try programAtEnd(kind, count: count, flash: &flash)
        }
    }

    private mutating func programAtEnd(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        guard var bank = active else { throw .notMounted }
        switch bank.tail {
        case .whole:
            guard bank.end + JournalFormat.stride(count) <= layout.bankSize else { throw .full }
        case .torn(let from):
            let needed = JournalFormat.stride(JournalFormat.gapSize) + JournalFormat.stride(count)
            guard bank.end + needed <= layout.bankSize else { throw .full }
            gapBuffer.put(UInt32(truncatingIfNeeded: from), at: JournalFormat.recordHeaderSize)
            try programRecord(.gap, count: JournalFormat.gapSize, in: gapBuffer, to: &bank, flash: &flash)
        }
        try programRecord(kind, count: count, in: buffer, to: &bank, flash: &flash)
    }

    /// Programs the record in `source` where the log ends. Whatever happens, `active` says afterwards where it goes on.
    private mutating func programRecord(
        _ kind: RecordKind, count: Int, in source: FixedArray<UInt8>, to bank: inout ActiveBank,
        flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        source.seal(kind, count: count, at: RecordPlace(generation: bank.generation, offset: bank.end))
        do {
            try program(
                bank.index, bank.end, source.slice(0..<JournalFormat.recordHeaderSize + count), flash: &flash)
        } catch {
            switch bank.tail {
            case .whole: bank.tail = .torn(from: bank.end)
            case .torn: break
            }
            bank.end = min(layout.pageBoundary(after: bank.end + JournalFormat.stride(count)), layout.bankSize)
            bank.trigger = 0
            active = bank
            throw error
        }
        bank.end += JournalFormat.stride(count)
        bank.tail = .whole
        active = bank
    }

    /// Programs the record in the buffer to the standby bank as well while a snapshot is being written there. A failure costs
    /// the snapshot alone; `maintain` reports it.
    private mutating func appendToSnapshot(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) {
        switch standby {
        case .snapshot(var snapshot):
            do {
                try programRecord(kind, count: count, to: &snapshot, flash: &flash)
                standby = .snapshot(snapshot)
            } catch {
                standby = .abandoned(error)
            }
        case .unconfirmed, .erasing, .ready, .abandoned, .givenUp: break
        }
    }

    /// Programs the record in the buffer where the snapshot ends.
    func programRecord(
        _ kind: RecordKind, count: Int, to snapshot: inout Snapshot, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        guard let active else { throw .notMounted }
        guard snapshot.end + JournalFormat.stride(count) <= layout.bankSize else { throw .snapshotTooLarge }
        buffer.seal(kind, count: count, at: RecordPlace(generation: snapshot.generation, offset: snapshot.end))
        try program(
            active.index.other, snapshot.end, buffer.slice(0..<JournalFormat.recordHeaderSize + count), flash: &flash)
        snapshot.end += JournalFormat.stride(count)
    }
}
