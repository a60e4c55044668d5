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
        var report = MountReport(origin: .bank(generation: bank.generation))
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

    /// Formats a chip without a committed bank: one whose banks are not blank has lost what was in them.
    ///
    /// One of those stays as it is until something is kept: were both erased, and the power to fail then, the next start
    /// would take the watch for a new one, and say nothing.
    @inline(never)
    private mutating func begin(_ flash: inout some NORFlash & ~Copyable) throws(JournalError) -> MountReport {
        guard try isBlank(.first, flash: &flash) else {
            try format(.second, generation: 1, erase: .always, flash: &flash)
            return MountReport(origin: .unreadable)
        }
        try format(.first, generation: 1, erase: .ifNeeded, flash: &flash)
        return MountReport(origin: try isBlank(.second, flash: &flash) ? .blank : .unreadable)
    }

    /// When to erase a bank before it is formatted.
    private enum FormatErase {
        /// The bank reads as blank: erase it only if programming fails.
        case ifNeeded
        case always
    }

    /// The contents of a bank according to its first 64 bytes.
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

    /// Erases every sector of a bank and waits for it.
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

    /// Programs both copies of a bank's header.
    func programHeaders(
        _ bank: BankIndex, generation: UInt32, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        buffer.putHeaders(generation: generation)
        let range = JournalFormat.headerOffset..<JournalFormat.commitOffset
        try program(bank, range.lowerBound, buffer.slice(range), flash: &flash)
    }

    /// Programs both copies of a bank's commit word.
    func programCommits(
        _ bank: BankIndex, generation: UInt32, snapshotEnd: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        buffer.putCommits(generation: generation, snapshotEnd: snapshotEnd)
        let range = JournalFormat.commitOffset..<JournalFormat.recordsOffset
        try program(bank, range.lowerBound, buffer.slice(range), flash: &flash)
    }
}
