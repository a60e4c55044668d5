extension Journal {
    /// Does one small step of upkeep, such as the start of a sector's erase or one record of a snapshot. Never waits for an
    /// erase. Call this when no more urgent work is due and all changes of the client's state have been appended.
    mutating func maintain(
        flash: inout some NORFlash & ~Copyable, client: inout some JournalClient & ~Copyable
    ) -> MaintenanceStep {
        guard let bank = active else { return .idle }
        switch flash.flashActivity {
        case .erasing: return .waitingForErase
        case .ready: break
        }
        do {
            return try step(bank, flash: &flash, client: &client)
        } catch {
            failures += 1
            standby = failures < 3 ? .erasing(next: 0) : .givenUp
            return .failed(error)
        }
    }

    private mutating func step(
        _ bank: ActiveBank, flash: inout some NORFlash & ~Copyable, client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        switch standby {
        case .unconfirmed: return try confirm(bank, flash: &flash)
        case .erasing(let next): return try eraseNext(next, of: bank.index.other, flash: &flash)
        case .ready: return try beginSnapshotIfDue(bank, flash: &flash)
        case .snapshot(let snapshot): return try goOn(snapshot, bank, flash: &flash, client: &client)
        case .abandoned(let error): throw error
        case .givenUp: return .idle
        }
    }

    /// Changes banks now, which waits for erases. Returns how many sectors were erased. Throws `.full` if the journal had given
    /// up before, and the last error if it gives up now.
    @discardableResult
    mutating func compact(
        flash: inout some NORFlash & ~Copyable, client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> Int {
        guard let before = active?.generation else { throw .notMounted }
        var erases = 0
        active?.trigger = 0
        while active?.generation == before {
            switch maintain(flash: &flash, client: &client) {
            case .again: break
            case .waitingForErase:
                flash.finishErase()
                erases += 1
            case .idle: throw .full
            case .failed(let error):
                if case .givenUp = standby { throw error }
            }
        }
        guard active != nil else { throw .notMounted }
        return erases
    }

    /// Programs the header and commit word of the active bank again. This completes bits that were only half programmed when
    /// the power failed.
    private mutating func confirm(
        _ bank: ActiveBank, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        let range = JournalFormat.headerOffset..<JournalFormat.recordsOffset
        try read(bank.index, range.lowerBound, count: range.count, to: range.lowerBound, flash: &flash)
        try program(bank.index, range.lowerBound, buffer.slice(range), flash: &flash)
        standby = .erasing(next: 0)
        return .again
    }

    private mutating func eraseNext(
        _ next: Int, of bank: BankIndex, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        guard next < layout.sectorsPerBank else {
            let (first, second) = JournalFormat.preparedMark
            buffer.put(first, at: 0)
            buffer.put(second, at: 4)
            let mark = buffer.slice(0..<JournalFormat.preparedSize)
            try program(bank, JournalFormat.preparedOffset, mark, flash: &flash)
            standby = .ready
            return .again
        }
        try beginErase(bank, sector: next, flash: &flash)
        standby = .erasing(next: next + 1)
        return .waitingForErase
    }

    private mutating func beginSnapshotIfDue(
        _ bank: ActiveBank, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        guard bank.end >= bank.trigger else { return .idle }
        let generation = bank.generation &+ 1
        try programHeaders(bank.index.other, generation: generation, flash: &flash)
        standby = .snapshot(
            Snapshot(generation: generation, end: JournalFormat.recordsOffset, cursor: SnapshotCursor()))
        return .again
    }

    private mutating func goOn(
        _ begun: Snapshot, _ bank: ActiveBank, flash: inout some NORFlash & ~Copyable,
        client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        var snapshot = begun
        var room = buffer.slice(JournalFormat.recordHeaderSize..<JournalFormat.bufferSize)
        var payload = room.mutableSpan
        guard let record = client.nextSnapshotRecord(cursor: &snapshot.cursor, into: &payload) else {
            return try commit(snapshot, to: bank.index.other, flash: &flash)
        }
        precondition(record.kind.isForClients, "record kinds 0 and 255 are the journal's own")
        precondition(record.count >= 0 && record.count <= JournalFormat.maximumPayload, "the record is too long")
        try programRecord(record.kind, count: record.count, to: &snapshot, flash: &flash)
        standby = .snapshot(snapshot)
        return .again
    }

    private mutating func commit(
        _ snapshot: Snapshot, to bank: BankIndex, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> MaintenanceStep {
        do {
            try programCommits(bank, generation: snapshot.generation, snapshotEnd: snapshot.end, flash: &flash)
        } catch {
            try revoke(bank, flash: &flash)
            throw error
        }
        active = ActiveBank(
            index: bank, generation: snapshot.generation, snapshotEnd: snapshot.end, bankSize: layout.bankSize)
        standby = .erasing(next: 0)
        failures = 0
        return .again
    }

    /// Invalidates a bank whose commit word could not be programmed. Without this, the next mount might use that bank, and
    /// miss all records appended to the active bank from now on. If that bank may still read as committed, unmounts the
    /// journal and throws.
    private mutating func revoke(_ bank: BankIndex, flash: inout some NORFlash & ~Copyable) throws(JournalError) {
        let range = JournalFormat.headerOffset..<JournalFormat.recordsOffset
        buffer.fill(range, with: 0)
        do {
            try program(bank, range.lowerBound, buffer.slice(range), flash: &flash)
        } catch {
            switch try? contents(of: bank, flash: &flash) {
            case .prepared, .unusable: break
            case .committed, nil:
                active = nil
                throw error
            }
        }
    }
}
