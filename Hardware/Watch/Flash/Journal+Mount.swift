extension Journal {
    /// Finds the newest committed bank and passes its records to `client` in the order of writing. Formats a chip
    /// without a committed bank, which waits for erases unless the chip was blank.
    ///
    /// Terminates for any contents of the flash, and reads the active bank about once (32 KB: 33 ms at 8 Mbit/s).
    /// Decayed records are lost and counted. They do not hide the records behind them: the log is searched for the next
    /// whole record, which is safe because a record's checks include its place. After damage the next calls of
    /// `maintain` change banks.
    ///
    /// - Throws: `.flash` or `.unsuitableGeometry`. The journal is then not mounted, and the client may have received
    ///   records.
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
            // The newer version's bank is kept until this one is committed and is the newest.
            try format(index.other, generation: bank.generation &+ 1, erase: .always, flash: &flash)
            return MountReport(origin: .newerFormat(version: bank.version))
        }
        var report = MountReport(origin: .log(generation: bank.generation))
        switch bank.condition {
        case .whole, .damaged: break
        case .repaired: report.repaired = 1
        }
        let mounted = try scan(index, bank, report: &report, flash: &flash, client: &client)
        // The power failed after the other bank was given up, and before anything was kept here.
        if report.isEmpty, try !isBlank(index.other, flash: &flash) { report.origin = .unreadable }
        switch index == .first ? second : first {
        case .prepared: standby = .ready
        case .unusable, .committed: standby = .unconfirmed
        }
        active = mounted
        return report
    }

    /// Formats a chip without a committed bank. One whose banks are not blank has lost what was in them.
    ///
    /// One of those banks stays as it is until something is kept. If both were erased and the power failed then, the next start
    /// would take the watch for a new one, and report no loss.
    @inline(never)
    private mutating func begin(_ flash: inout some NORFlash & ~Copyable) throws(JournalError) -> MountReport {
        guard try isBlank(.first, flash: &flash) else {
            try format(.second, generation: 1, erase: .always, flash: &flash)
            return MountReport(origin: .unreadable)
        }
        try format(.first, generation: 1, erase: .ifNeeded, flash: &flash)
        return MountReport(origin: try isBlank(.second, flash: &flash) ? .blank : .unreadable)
    }

    private enum FormatErase {
        /// The bank reads as blank: erase it only if programming fails.
        case ifNeeded
        case always
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
        _ bank: BankIndex, generation: UInt32, erase: FormatErase, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        switch erase {
        case .ifNeeded: break
        case .always: try eraseAll(bank, flash: &flash)
        }
        do {
            try programEmptyLog(bank, generation: generation, flash: &flash)
        } catch {
            // The power failed during an erase, which left cells that only read as erased.
            guard erase == .ifNeeded, error == .flash(.verifyFailed) else { throw error }
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
        /// The end of the bytes after `wholeUntil` that are not erased.
        var dirtyUntil: Int
        /// The end of the payloads of all headers after the whole records, programmed or not. New records begin after
        /// it, because they could complete a record with only a programmed header (seen: a payload of one zero byte,
        /// completed by the first byte of the next record).
        var claimedUntil: Int
        /// The mount notices any loss before this offset: the end of the snapshot or of the newest gap record.
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

    /// The kind and the length of a record whose header has one decayed bit, with its payload in the buffer; nil if
    /// that makes no whole record.
    ///
    /// A write that missed only its last bit looks the same. Its record was intended, so it counts as written.
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
            // A gap record has the offset at which the remains of an interruption begin. An empty gap has its own offset, and
            // explains no bytes.
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
        // Another decayed bit would cost a record that was repaired.
        if !report.isComplete || report.repaired > 0 { active.trigger = 0 }
        return active
    }
}
