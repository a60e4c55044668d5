extension Journal {
    /// Finds the newest committed bank, hands its records to `client` in the order in which they were written, and is ready
    /// to append. A chip without a committed bank is formatted, which waits for erases unless it was blank.
    ///
    /// Whatever the flash holds, this ends, and reads the active bank about once (32 KB: 33 ms at 8 Mbit/s). Decayed records
    /// are lost, counted, and do not hide those behind them: the log is searched for the next whole record, which is
    /// safe because a record's checks include its own place. After damage the next calls of `maintain` change banks, so
    /// that it is left behind.
    ///
    /// - Throws: `.flash` or `.unsuitableGeometry`. The journal is not mounted then; the client may have been handed records.
    @inline(never)
    public mutating func mount(
        flash: inout some NORFlash & ~Copyable, replay client: inout some JournalClient & ~Copyable
    ) throws(JournalError) -> MountReport {
        active = nil
        failures = 0
        layout = try BankLayout(flash.flashGeometry)
        let first = try contents(of: .first, flash: &flash)
        let second = try contents(of: .second, flash: &flash)
        guard let (index, bank) = Journal.newest(first, second) else {
            // The second bank is erased before it is used, whatever it holds; only the first must be known to be blank.
            if try isBlank(.first, flash: &flash) {
                try format(.first, generation: 1, erase: .ifNeeded, flash: &flash)
                return MountReport(origin: .blank)
            }
            try format(.first, generation: 1, erase: .always, flash: &flash)
            return MountReport(origin: .unreadable)
        }
        guard bank.version == JournalFormat.version else {
            // The newer version's bank stays until this one is committed; then it is no longer the newest.
            try format(index.other, generation: bank.generation &+ 1, erase: .always, flash: &flash)
            return MountReport(origin: .newerFormat(version: bank.version))
        }
        var report = MountReport(origin: .bank(generation: bank.generation))
        let mounted = try scan(index, bank, report: &report, flash: &flash, client: &client)
        let other =
            switch index {
            case .first: second
            case .second: first
            }
        switch other {
        case .prepared: standby = .ready
        case .unusable, .committed: standby = .unconfirmed
        }
        active = mounted
        return report
    }

    /// Whether a bank has to be erased before it is formatted.
    private enum FormatErase {
        /// It reads as blank: only if programming fails after all.
        case ifNeeded
        /// It holds something.
        case always
    }

    /// What the first 64 bytes of a bank say.
    func contents(
        of bank: BankIndex, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) -> BankContents {
        try read(bank, 0, count: JournalFormat.recordsOffset, to: 0, flash: &flash)
        return buffer.bankContents(bankSize: layout.bankSize)
    }

    /// The newest committed bank, if any was committed.
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

    /// Makes `bank` an empty active one.
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
            // The power failed during an erase, which left cells that read as erased and are not.
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
            try waitForErase(flash: &flash)
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
