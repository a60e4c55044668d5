extension Journal {
    /// Finds the newest committed bank, and passes its records to `client` in the order of writing. If no bank is committed, or
    /// if a newer version of the firmware wrote the newest one, formats a bank. This may wait for erases.
    ///
    /// The mount always ends, even if flash has random bytes. It reads the active bank about once (32 KB: 33 ms at 8 Mbit/s).
    /// Damaged records are counted and lost, but later records are still found. After damage, `maintain` changes banks.
    ///
    /// After `.flash` or `.unsuitableGeometry`, the journal is not mounted, and the client may have received records.
    @inline(never)
    mutating func mount(
        flash: inout some NORFlash & ~Copyable, replay client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> MountReport {
        active = nil
        failures = 0
        layout = try BankLayout(flash.flashGeometry)
        let first = try contents(of: .first, flash: &flash)
        let second = try contents(of: .second, flash: &flash)
        guard let (index, bank) = Journal.newest(first, second) else { return try begin(&flash) }
        guard bank.version == JournalFormat.version else {
            // The newer version's bank is kept until this version's bank is committed.
            try format(index.other, generation: bank.generation &+ 1, isBlank: false, flash: &flash)
            return MountReport(origin: .newerFormat(version: bank.version))
        }
        var report = MountReport(origin: .log(generation: bank.generation))
        switch bank.condition {
        case .whole, .damaged: break
        case .repaired: report.repaired = 1
        }
        let mounted = try scan(index, bank, report: &report, flash: &flash, client: &client)
        // The power failed after the other bank was abandoned, and before this bank got a record.
        if report.isEmpty, try !isBlank(index.other, flash: &flash) { report.origin = .unreadable }
        switch index == .first ? second : first {
        case .prepared: standby = .ready
        case .unusable, .committed: standby = .unconfirmed
        }
        active = mounted
        return report
    }

    /// Formats one bank of a chip that has no committed bank, and leaves the other bank as it is.
    ///
    /// The power may fail before a record is written. The next start then finds old data in the other bank, and so knows of the
    /// loss. If both banks were erased, the watch would look new.
    @inline(never)
    private mutating func begin(_ flash: inout some NORFlash & ~Copyable) throws(JournalError) -> MountReport {
        guard try isBlank(.first, flash: &flash) else {
            try format(.second, generation: 1, isBlank: false, flash: &flash)
            return MountReport(origin: .unreadable)
        }
        try format(.first, generation: 1, isBlank: true, flash: &flash)
        return MountReport(origin: try isBlank(.second, flash: &flash) ? .blank : .unreadable)
    }

    func contents(
        of bank: BankIndex, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> BankContents {
        try read(bank, 0, count: JournalFormat.recordsOffset, to: 0, flash: &flash)
        return buffer.bankContents(bankSize: layout.bankSize)
    }

    private static func newest(_ first: BankContents, _ second: BankContents) -> (BankIndex, CommittedBank)? {
        switch (first, second) {
        case (.committed(let one), .committed(let two)): two.isNewer(than: one) ? (.second, two) : (.first, one)
        case (.committed(let one), .prepared), (.committed(let one), .unusable): (.first, one)
        case (.prepared, .committed(let two)), (.unusable, .committed(let two)): (.second, two)
        case (.prepared, .prepared), (.prepared, .unusable), (.unusable, .prepared), (.unusable, .unusable): nil
        }
    }

    @inline(never)
    private func isBlank(
        _ bank: BankIndex, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> Bool {
        var offset = 0
        while offset < layout.bankSize {
            let count = min(JournalFormat.maximumPayload, layout.bankSize - offset)
            try read(bank, offset, count: count, to: 0, flash: &flash)
            guard buffer.isBlank(0..<count) else { return false }
            offset += count
        }
        return true
    }

    @inline(never)
    private mutating func format(
        _ bank: BankIndex, generation: UInt32, isBlank: Bool, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        if !isBlank { try eraseAll(bank, flash: &flash) }
        do {
            try programEmptyLog(bank, generation: generation, flash: &flash)
        } catch {
            // A power failure during an erase has left cells that only look erased.
            guard isBlank, error == .flash(.verifyFailed) else { throw error }
            try eraseAll(bank, flash: &flash)
            try programEmptyLog(bank, generation: generation, flash: &flash)
        }
        standby = .unconfirmed
        active = ActiveBank(
            index: bank, generation: generation, snapshotEnd: JournalFormat.recordsOffset, bankSize: layout.bankSize)
    }

    private mutating func eraseAll(_ bank: BankIndex, flash: inout some NORFlash & ~Copyable) throws(JournalError) {
        for sector in 0..<layout.sectorsPerBank {
            try beginErase(bank, sector: sector, flash: &flash)
            flash.finishErase()
        }
    }

    @inline(never)
    private func programEmptyLog(
        _ bank: BankIndex, generation: UInt32, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        try programHeaders(bank, generation: generation, flash: &flash)
        try programCommits(bank, generation: generation, snapshotEnd: JournalFormat.recordsOffset, flash: &flash)
    }

    func programHeaders(
        _ bank: BankIndex, generation: UInt32, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        buffer.putHeaders(generation: generation)
        let range = JournalFormat.headerOffset..<JournalFormat.commitOffset
        try program(bank, range.lowerBound, buffer.slice(range), flash: &flash)
    }

    func programCommits(
        _ bank: BankIndex, generation: UInt32, snapshotEnd: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        buffer.putCommits(generation: generation, snapshotEnd: snapshotEnd)
        let range = JournalFormat.commitOffset..<JournalFormat.recordsOffset
        try program(bank, range.lowerBound, buffer.slice(range), flash: &flash)
    }

    private struct ScanPosition {
        var offset: Int
        var wholeUntil: Int
        var dirtyUntil: Int
        /// The end of the bytes that belong to incomplete records, according to their headers. A new record must begin after
        /// it; otherwise its bytes could complete an incomplete record.
        var claimedUntil: Int
        /// The end of the snapshot or of the newest gap record. If anything stored before this position is lost, the mount
        /// detects it.
        var attestedUntil: Int
        var isBehindRecord: Bool { offset == wholeUntil }

        mutating func skip() {
            offset += JournalFormat.alignment
            dirtyUntil = offset
        }
    }

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

    private func readPayload(
        _ index: BankIndex, _ kind: RecordKind, count: Int, at place: RecordPlace,
        flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> RecordCondition {
        let header = JournalFormat.recordHeaderSize
        guard place.offset + header + count <= layout.bankSize else { return .damaged }
        try read(index, place.offset + header, count: count, to: header, flash: &flash)
        return buffer.verify(kind, count: count, at: place)
    }

    /// Repairs a record whose header has one wrong bit, and leaves the record's payload in the buffer. Returns nil if no change
    /// of one bit gives a complete record.
    ///
    /// The wrong bit may be the only bit that was not yet programmed when the power failed. The record counts as complete in
    /// that case, too.
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

    private func skipBlank(
        _ index: BankIndex, _ position: inout ScanPosition, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        let unit = JournalFormat.alignment
        let count = min(JournalFormat.maximumPayload, layout.bankSize - position.offset)
        try read(index, position.offset, count: count, to: 0, flash: &flash)
        var skipped = 0
        while skipped + unit <= count, buffer.isBlank(skipped..<skipped + unit) { skipped += unit }
        // Skips at least one unit, so that the scan ends even if flash reads differently each time.
        position.offset += max(skipped, unit)
    }

    /// Counts damage if no gap record explains the bytes between the previous record and this complete one. Then passes the
    /// record to the client, unless it is a gap record.
    private func take(
        _ kind: RecordKind, count: Int, position: inout ScanPosition, bank: CommittedBank,
        report: inout MountReport, client: inout some JournalClient & ~Copyable
    ) {
        let header = JournalFormat.recordHeaderSize
        let isGap = kind == .gap
        if !position.isBehindRecord {
            // A gap record says where the remains of an interrupted write begin. An empty gap begins at the gap record itself, so
            // it explains no bytes.
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

    /// Makes the active bank from the result of the scan. The next record goes after everything that an interrupted write
    /// may have left.
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
            report.tornBytes = position.dirtyUntil - position.wholeUntil
        }
        if position.wholeUntil < bank.snapshotEnd {
            // The snapshot was complete when it was committed, so a missing end is damage.
            report.damaged += 1
            active.end = max(active.end, layout.pageBoundary(after: bank.snapshotEnd))
            active.tail = .torn(from: position.wholeUntil)
        }
        // A new snapshot is due at once: one more wrong bit would destroy a repaired record.
        if !report.isComplete || report.repaired > 0 { active.trigger = 0 }
        return active
    }
}
