extension Journal {
    /// The progress of a scan, as offsets in the bank.
    private struct ScanPosition {
        var offset: Int
        /// The end of the whole records found so far.
        var wholeUntil: Int
        /// The end of the last bytes after them that are not erased.
        var dirtyUntil: Int
        /// The end of the payloads of all headers after the whole records, programmed or not. New records begin after
        /// it, because they could complete a record with only a programmed header (seen: a payload of one zero byte,
        /// completed by the first byte of the next record).
        var claimedUntil: Int
        /// The end of what the mount would have noticed the loss of: of the snapshot, or of the newest gap record.
        var attestedUntil: Int
        var isBehindRecord: Bool { offset == wholeUntil }

        /// No record begins here.
        mutating func skip() {
            offset += JournalFormat.alignment
            dirtyUntil = offset
        }
    }

    /// Reads a bank's records in order and passes them to `client`.
    @inline(never)
    func scan(
        _ index: BankIndex, _ bank: CommittedBank, report: inout MountReport,
        flash: inout some NORFlash & ~Copyable, client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> ActiveBank {
        let start = JournalFormat.recordsOffset
        var position = ScanPosition(
            offset: start, wholeUntil: start, dirtyUntil: start, claimedUntil: start, attestedUntil: bank.snapshotEnd)
        while position.offset + JournalFormat.recordHeaderSize <= layout.bankSize {
            let place = RecordPlace(generation: bank.generation, offset: position.offset)
            try read(index, position.offset, count: JournalFormat.recordHeaderSize, to: 0, flash: &flash)
            switch buffer.recordHeader(at: place) {
            case .blank:
                try skipBlank(index, &position, flash: &flash)
            case .other:
                guard let (kind, count) = try repairHeader(index, at: place, flash: &flash) else {
                    position.skip()
                    continue
                }
                report.repaired += 1
                take(kind, count: count, position: &position, bank: bank, report: &report, client: &client)
            case .record(let kind, let count):
                switch try readPayload(index, kind, count: count, at: place, flash: &flash) {
                case .whole: break
                case .repaired: report.repaired += 1
                case .damaged:
                    position.claimedUntil = max(
                        position.claimedUntil, position.offset + JournalFormat.stride(count))
                    position.skip()
                    continue
                }
                take(kind, count: count, position: &position, bank: bank, report: &report, client: &client)
            }
        }
        return finish(index, bank, position, report: &report)
    }

    /// Reads the payload after a header.
    private func readPayload(
        _ index: BankIndex, _ kind: RecordKind, count: Int, at place: RecordPlace,
        flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> RecordCondition {
        let header = JournalFormat.recordHeaderSize
        guard place.offset + header + count <= layout.bankSize else { return .damaged }
        try read(index, place.offset + header, count: count, to: header, flash: &flash)
        return buffer.verify(kind, count: count, at: place)
    }

    /// The kind and the length of a record of which one bit of these, or of their check, has decayed, with its payload in the
    /// buffer; nil where that makes no whole record.
    ///
    /// A write that was cut off before its last bit looks the same. Then the record was meant, and is as good as written.
    @inline(never)
    private func repairHeader(
        _ index: BankIndex, at place: RecordPlace, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> (RecordKind, count: Int)? {
        for bit in 0..<32 {
            let mask = UInt8(1) &<< UInt8(truncatingIfNeeded: bit & 7)
            buffer[bit &>> 3] ^= mask
            if case .record(let kind, let count) = buffer.recordHeader(at: place) {
                switch try readPayload(index, kind, count: count, at: place, flash: &flash) {
                case .whole: return (kind, count)
                case .repaired, .damaged: break
                }
            }
            buffer[bit &>> 3] ^= mask
        }
        return nil
    }

    /// Skips erased bytes, a buffer at a time, up to a multiple of the alignment.
    private func skipBlank(
        _ index: BankIndex, _ position: inout ScanPosition, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        let unit = JournalFormat.alignment
        let count = min(JournalFormat.maximumPayload, layout.bankSize - position.offset)
        try read(index, position.offset, count: count, to: 0, flash: &flash)
        var skipped = 0
        while skipped + unit <= count, buffer.isBlank(skipped..<skipped + unit) { skipped += unit }
        // At least one unit, so that a flash that changes between two reads does not stop the scan.
        position.offset += max(skipped, unit)
    }

    /// Passes a whole record to the client, after a check of what lies between it and the record before.
    private func take(
        _ kind: RecordKind, count: Int, position: inout ScanPosition, bank: CommittedBank,
        report: inout MountReport, client: inout some JournalClient & ~Copyable
    ) {
        let header = JournalFormat.recordHeaderSize
        let isGap = kind == .gap
        if !position.isBehindRecord {
            // A gap record has the offset from which everything before it is the remains of an interruption. An empty one
            // has its own offset, and explains nothing.
            let isExplained =
                isGap && count == JournalFormat.gapSize && position.wholeUntil >= bank.snapshotEnd
                && Int(truncatingIfNeeded: buffer.word(at: header)) <= position.wholeUntil
            if !isExplained { report.damaged += 1 }
        }
        position.offset += JournalFormat.stride(count)
        position.wholeUntil = position.offset
        position.dirtyUntil = position.offset
        position.claimedUntil = position.offset
        guard !isGap else {
            position.attestedUntil = position.offset
            return
        }
        switch client.replay(kind, payload: buffer.slice(header..<header + count).span) {
        case .applied: report.applied += 1
        case .unknownKind: report.unknown += 1
        case .unreadable: report.unreadable += 1
        }
    }

    /// The bank with the end of the log after anything that an interruption may have left.
    private func finish(
        _ index: BankIndex, _ bank: CommittedBank, _ position: ScanPosition, report: inout MountReport
    ) -> ActiveBank {
        var active = ActiveBank(
            index: index, generation: bank.generation, snapshotEnd: bank.snapshotEnd, bankSize: layout.bankSize)
        active.end = position.wholeUntil
        active.tail = position.wholeUntil > position.attestedUntil ? .whole : .attested
        if position.dirtyUntil > position.wholeUntil {
            let occupied = max(position.dirtyUntil, position.claimedUntil)
            active.end = min(layout.pageBoundary(after: occupied), layout.bankSize)
            active.tail = .torn(from: position.wholeUntil)
            report.tail = .torn(bytes: position.dirtyUntil - position.wholeUntil)
        }
        if position.wholeUntil < bank.snapshotEnd {
            // A snapshot was whole when it was committed: a missing end has decayed.
            report.damaged += 1
            active.end = max(active.end, layout.pageBoundary(after: bank.snapshotEnd))
            active.tail = .torn(from: position.wholeUntil)
        }
        // Another bit of a record that was repaired would cost it.
        if !report.isComplete || report.repaired > 0 { active.trigger = 0 }
        return active
    }
}
