/// The log in flash that keeps the watch's state across a loss of power.
///
/// Two banks take turns. Records are appended to the active one. When it is nearly full, a snapshot of the state in
/// memory is written to the other one, a record at a time, while new records go to both. A commit word, programmed
/// last, makes that bank active, and the old one is erased, a sector at a time, long before it is needed. Whenever the
/// power fails, the next mount finds the state before or after the record that was being written.
///
/// The wearer never waits: `append` programs one record and waits for no erase, and `maintain` does everything else, a
/// page or a sector a call.
///
/// RAM: 536 bytes of the arena (the longest record and a gap record) and about 100 bytes of its own.
struct Journal: ~Copyable {
    /// The record being written or read: header and payload.
    let buffer: FixedArray<UInt8>
    /// A gap record, which is written while `buffer` holds the record after it.
    let gapBuffer: FixedArray<UInt8>
    var layout: BankLayout
    var active: ActiveBank?
    var standby: StandbyBank
    /// Attempts to change banks that have failed since one succeeded.
    var failures: Int

    static var memorySize: Int { JournalFormat.bufferSize + JournalFormat.stride(JournalFormat.gapSize) }

    init(arena: inout MemoryArena) {
        buffer = arena.take(JournalFormat.bufferSize, of: 0)
        gapBuffer = arena.take(JournalFormat.stride(JournalFormat.gapSize), of: 0)
        layout = BankLayout()
        active = nil
        standby = .unconfirmed
        failures = 0
    }

    var isMounted: Bool { active != nil }

    /// Whether the banks are not changed any more until the next mount.
    var isGivenUp: Bool {
        switch standby {
        case .givenUp: true
        case .unconfirmed, .erasing, .ready, .snapshot, .abandoned: false
        }
    }

    var isWritingSnapshot: Bool {
        switch standby {
        case .snapshot: true
        case .unconfirmed, .erasing, .ready, .abandoned, .givenUp: false
        }
    }

    /// Whether upkeep's next step begins to erase the other bank.
    var erasesNext: Bool {
        switch standby {
        case .erasing(next: 0): true
        case .unconfirmed, .erasing, .ready, .snapshot, .abandoned, .givenUp: false
        }
    }

    /// Whether the newest record is one whose loss the next mount would not notice, and `attest` changes that. While a
    /// snapshot is being written it need not: a bank that has just been committed is attested.
    var isAttestable: Bool {
        switch active?.tail {
        case .whole, .torn: !isWritingSnapshot
        case .attested, .failed, nil: false
        }
    }

    /// Whether the active bank has room for a record with a payload of `count` bytes and `reserve` bytes beside it. In a
    /// small bank nothing is reserved until the next snapshot is due, because no upkeep would make room before.
    func hasRoom(_ count: Int, beside reserve: Int) -> Bool {
        guard let active else { return false }
        let left = layout.bankSize - active.end - JournalFormat.stride(count)
        return left >= reserve || active.end < active.trigger && left >= 0
    }

    func read(
        _ bank: BankIndex, _ offset: Int, count: Int, to start: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        var part = buffer.slice(start..<start + count)
        var bytes = part.mutableSpan
        do {
            try flash.readFlash(at: layout.address(bank, offset), into: &bytes)
        } catch {
            throw .flash(error)
        }
    }

    /// Programs a part of `source`, page by page and in order.
    func program(
        _ bank: BankIndex, _ offset: Int, _ source: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        var done = 0
        while done < source.count {
            let address = layout.address(bank, offset + done)
            let count = min(source.count - done, layout.pageSize - address % layout.pageSize)
            do {
                try flash.programFlash(at: address, source.slice(done..<done + count).span)
            } catch {
                throw .flash(error)
            }
            done += count
        }
    }

    func beginErase(
        _ bank: BankIndex, sector: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        do {
            try flash.beginErase(sector: layout.sector(bank, sector))
        } catch {
            throw .flash(error)
        }
    }
}
