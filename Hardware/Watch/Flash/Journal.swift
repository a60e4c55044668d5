/// The log in flash that keeps the watch's state across a loss of power.
///
/// The flash is divided into two banks, which take turns. Records are appended to the active bank. When that is nearly full, a
/// snapshot of the whole state is written to the other bank, one record at a time. Meanwhile, new records go to both banks. A
/// commit word, programmed last, makes the other bank the active one. The old bank is then erased sector by sector. Whenever
/// the power fails, the next mount finds the state before or after the record that was being written.
///
/// The wearer never waits for an erase: `append` programs one record and suspends a running erase. `maintain` does everything
/// else, one page or sector for each call.
struct Journal: ~Copyable {
    /// The record that is being written or read.
    let buffer: FixedArray<UInt8>
    /// The gap record that is being written (see JournalFormat.swift). At the same time, `buffer` may hold the next record.
    let gapBuffer: FixedArray<UInt8>
    var layout: BankLayout
    var active: ActiveBank?
    var standby: StandbyBank
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

    /// Whether the journal has stopped changing banks, after three failed attempts in a row. The next mount tries again.
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

    var erasesNext: Bool {
        switch standby {
        case .erasing(next: 0): true
        case .unconfirmed, .erasing, .ready, .snapshot, .abandoned, .givenUp: false
        }
    }

    /// Whether `attest` must write a gap record, so that the next mount notices a loss of the newest record. False during a
    /// snapshot, because the snapshot's commit has the same effect.
    var isAttestable: Bool {
        switch active?.tail {
        case .whole, .torn: !isWritingSnapshot
        case .attested, .failed, nil: false
        }
    }

    /// Whether a payload of `count` bytes fits and leaves `reserve` bytes free. Ignores `reserve` until the next snapshot is
    /// due, because `maintain` makes no room before then.
    func hasRoom(_ count: Int, beside reserve: Int) -> Bool {
        guard let active else { return false }
        let left = layout.bankSize - active.end - JournalFormat.stride(count)
        return left >= reserve || active.end < active.trigger && left >= 0
    }

    func read(
        _ bank: BankIndex, _ offset: Int, count: Int, to start: Int, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        do {
            try flash.read(at: layout.address(bank, offset), into: buffer.slice(start..<start + count))
        } catch {
            throw .flash(error)
        }
    }

    func program(
        _ bank: BankIndex, _ offset: Int, _ source: FixedArray<UInt8>, flash: inout some NORFlash & ~Copyable
    ) throws(JournalError) {
        do {
            try flash.program(source, at: layout.address(bank, offset), pageSize: layout.pageSize)
        } catch {
            throw .flash(error)
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

struct ActiveBank: BitwiseCopyable {
    var index: BankIndex
    var generation: UInt32
    var end: Int
    var tail: LogTail
    /// The value of `end` at which a snapshot into the other bank begins.
    var trigger: Int

    /// Sets `trigger` to three quarters of the bank, or to `snapshotEnd` plus an eighth of the bank if that is larger.
    /// Lowers `trigger` if the bank would otherwise have no room for two of the longest records.
    init(index: BankIndex, generation: UInt32, snapshotEnd: Int, bankSize: Int) {
        self.index = index
        self.generation = generation
        end = snapshotEnd
        tail = .attested
        let wanted = max(bankSize / 4 * 3, snapshotEnd + bankSize / 8)
        let latest = bankSize - 2 * JournalFormat.stride(JournalFormat.maximumPayload)
        trigger = max(min(wanted, latest), snapshotEnd + JournalFormat.alignment)
    }
}

enum LogTail: BitwiseCopyable {
    /// Nothing follows the last record. If that record is damaged, the next mount takes it for an interrupted write.
    case whole
    /// A gap record or the end of the snapshot follows the last record. The next mount notices if a record is lost.
    case attested
    /// The mount has found the remains of an interrupted write. A gap record must precede the next record; otherwise the next
    /// mount would take the remains for damage.
    case torn(from: Int)
    /// The last write failed, and its remains begin at `from`. The next `append` first writes a gap record. `attest` does
    /// nothing.
    case failed(from: Int)
}

/// The state of the bank that is not active. To change banks once, the journal passes through `erasing`, `ready` and
/// `snapshot`.
enum StandbyBank: BitwiseCopyable {
    /// A power failure may have left the active bank's commit word half programmed, so that it reads correctly now but not
    /// later. The word is programmed again before this bank is erased.
    case unconfirmed
    /// The bank is being erased. The erase of sector `next` has not begun, and the erase of the sector before it may still be
    /// running.
    case erasing(next: Int)
    case ready
    /// A snapshot is being written to the bank. New records are appended to both banks.
    case snapshot(Snapshot)
    /// A record could not be appended to the snapshot. The next call of `maintain` reports the error.
    case abandoned(JournalError)
    /// Three attempts to change banks failed in a row. The next attempt follows the next mount.
    case givenUp
}

struct Snapshot: BitwiseCopyable {
    var generation: UInt32
    var end: Int
    var cursor: SnapshotCursor
}

enum MaintenanceStep: Equatable, BitwiseCopyable {
    case idle
    case again
    case waitingForErase
    /// The step has failed. The active bank still takes records while it has room, unless the failure has unmounted the
    /// journal.
    case failed(JournalError)
}

enum ReplayOutcome: Equatable, BitwiseCopyable {
    case applied
    /// A newer version of the firmware wrote the record.
    case unknownKind
    case unreadable
}

/// The position in a snapshot. The numbers have a meaning only for the client.
struct SnapshotCursor: BitwiseCopyable {
    var part = 0
    var element = 0
}

struct SnapshotRecord: BitwiseCopyable {
    var kind: RecordKind
    /// From 0 to `JournalFormat.maximumPayload` bytes.
    var count: Int
}

/// The owner of the state that the journal stores. A later record about the same thing replaces an earlier one. If the journal
/// replays the newest records once more, in the same order, the state must not change.
protocol JournalClient: ~Copyable {
    /// Applies a record that the journal has read from flash. The journal replays records in the order in which they were
    /// written. `payload` is valid during the call.
    ///
    /// The next change of banks drops records of a kind that the client does not know, because this version cannot keep their
    /// state up to date.
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome

    /// Writes the next record of a snapshot into `payload`, and advances `cursor`. Returns nil at the end of the snapshot.
    ///
    /// The state may change between two calls. The code that changes it must append all records of the change before the next
    /// call, so that no snapshot has half of a change.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord?
}

package enum MountOrigin: Equatable, Sendable, BitwiseCopyable {
    case blank
    /// The journal has read the newest committed bank. `generation` counts from 1, and increases by one with each change of
    /// banks.
    case log(generation: UInt32)
    /// The chip has data but no readable records.
    case unreadable
    /// A newer version of the firmware wrote the newest bank, in format `version`. The journal starts empty, because an older
    /// bank would bring back message numbers that have been used since.
    case newerFormat(version: UInt8)
}

struct MountReport: Equatable, BitwiseCopyable {
    var origin: MountOrigin
    /// How many bytes of an incomplete record follow the last complete one. If there are any, the power failed during a write,
    /// or more than one bit of the newest record is wrong.
    var tornBytes = 0
    var applied = 0
    var unknown = 0
    /// Records with a valid checksum that the client cannot read.
    var unreadable = 0
    /// The number of records in which one wrong bit was corrected, plus 1 if the bank's header or commit word was damaged.
    var repaired = 0
    /// The number of damaged places in the log. At each, one or more records are lost.
    var damaged = 0

    var isEmpty: Bool { applied + unknown + unreadable + damaged == 0 }

    /// Whether the mount has found no loss of records. After a loss, the phone may count on data that the watch no longer has.
    /// The watch must then forget which of the phone's messages it has applied, and begin a new epoch.
    var isComplete: Bool {
        switch origin {
        case .blank, .log: damaged == 0 && unreadable == 0
        case .unreadable, .newerFormat: false
        }
    }
}
