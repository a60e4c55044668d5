extension Journal {
    /// Programs a record. Once this returns, the record survives any loss of power. The call never waits for an erase, because
    /// the chip suspends a running one.
    ///
    /// If programming fails, tries once more on a new page, so the log may hold the record twice.
    ///
    /// Traps for the kinds 0 and 255. Throws `.full` if the bank has no room for the record. After `.full` or `.flash`, the
    /// next mount may or may not find the record.
    mutating func append(
        _ kind: RecordKind, _ payload: Span<UInt8>, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        precondition(kind.isForClients, "record kinds 0 and 255 are the journal's own")
        guard active != nil else { throw .notMounted }
        guard payload.count <= JournalFormat.maximumPayload else { throw .recordTooLong }
        for index in 0..<payload.count { buffer[JournalFormat.recordHeaderSize + index] = payload[index] }
        try appendToActive(kind, count: payload.count, flash: &flash)
        appendToSnapshot(kind, count: payload.count, flash: &flash)
    }

    /// Appends a record. If fewer than `reserve` bytes would be left, first makes room, which waits for erases. Returns how
    /// many sectors were erased. The caller must have appended the records of all earlier changes of `client`. Throws `.full`
    /// if no room can be made.
    @discardableResult
    mutating func appendWaiting(
        _ kind: RecordKind, _ payload: Span<UInt8>, reserving reserve: Int = 0, flash: inout some NORFlash & ~Copyable,
        client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> Int {
        if hasRoom(payload.count, beside: reserve) || isGivenUp {
            do {
                try append(kind, payload, flash: &flash)
                return 0
            } catch .full {}
        }
        let erases = try compact(flash: &flash, client: &client)
        try append(kind, payload, flash: &flash)
        return erases
    }

    private mutating func appendToActive(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        do {
            try programAtEnd(kind, count: count, flash: &flash)
        } catch .flash {
            // Retries on the next page, because this one is unreliable. An error of the second attempt is thrown.
            try programAtEnd(kind, count: count, flash: &flash)
        }
    }

    private mutating func programAtEnd(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        guard var bank = active else { throw .notMounted }
        switch bank.tail {
        case .whole, .attested:
            guard bank.end + JournalFormat.stride(count) <= layout.bankSize else { throw .full }
        case .torn(let from), .failed(let from):
            let needed = JournalFormat.stride(JournalFormat.gapSize) + JournalFormat.stride(count)
            guard bank.end + needed <= layout.bankSize else { throw .full }
            try programGap(from: from, to: &bank, flash: &flash)
        }
        try programRecord(kind, count: count, in: buffer, to: &bank, flash: &flash)
    }

    private mutating func programGap(
        from start: Int, to bank: inout ActiveBank, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        gapBuffer.put(UInt32(truncatingIfNeeded: start), at: JournalFormat.recordHeaderSize)
        try programRecord(.gap, count: JournalFormat.gapSize, in: gapBuffer, to: &bank, flash: &flash)
        bank.tail = .attested
        active = bank
    }

    /// Programs a gap record after the newest record, so that the next mount notices if the newest record is lost. Call this if
    /// `isAttestable`. A failure loses no record.
    mutating func attest(flash: inout some NORFlash & ~Copyable) throws(JournalError) {
        guard var bank = active else { throw .notMounted }
        guard bank.end + JournalFormat.stride(JournalFormat.gapSize) <= layout.bankSize else { throw .full }
        switch bank.tail {
        case .attested, .failed: break
        case .whole: try programGap(from: bank.end, to: &bank, flash: &flash)
        case .torn(let from): try programGap(from: from, to: &bank, flash: &flash)
        }
    }

    /// Programs the record in `source` at `bank.end`, and moves `bank.end` past it. After an error, `bank.end` is the next page
    /// boundary. In both cases, `active` becomes the changed `bank`.
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
            case .whole, .attested: bank.tail = .failed(from: bank.end)
            case .torn(let from), .failed(let from): bank.tail = .failed(from: from)
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

    /// If a snapshot is being written, appends the record in `buffer` to it. If this fails, only the snapshot is lost, and the
    /// next call of `maintain` reports the error.
    private mutating func appendToSnapshot(
        _ kind: RecordKind, count: Int, flash: inout some NORFlash & ~Copyable
    ) {
        guard case .snapshot(var snapshot) = standby else { return }
        do {
            try programRecord(kind, count: count, to: &snapshot, flash: &flash)
            standby = .snapshot(snapshot)
        } catch {
            standby = .abandoned(error)
        }
    }

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
