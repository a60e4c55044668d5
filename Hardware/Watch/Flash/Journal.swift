/// The log in flash that keeps the watch's state across a loss of power.
///
/// The flash is divided into two banks, which take turns. Records are appended to the active bank. When that is nearly full, a
/// snapshot of the whole state in memory is written to the other bank, one record at a time. Meanwhile, new records go to both
/// banks. A commit word, programmed last, makes the other bank the active one. The old bank is erased sector by sector, long
/// before it is needed. Whenever the power fails, the next mount finds the state before or after the record that was being
/// written.
///
/// The wearer never waits for an erase: `append` programs one record and suspends a running erase. `maintain` does everything
/// else, one page or sector for each call.
///
/// The journal takes 536 bytes of the arena, for the longest record and a gap record, and about 100 bytes of its own.
struct Journal: ~Copyable {
    /// The header and payload of the record that is being written or read.
    let buffer: FixedArray<UInt8>
    /// A gap record that is written before the record in `buffer`.
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

    /// Whether the journal no longer tries to change banks, until the next mount.
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

    /// Whether `attest` must be called. Until then, the next mount might not notice the loss of the newest record. During a
    /// snapshot, no call is needed, because the commit attests the new bank.
    var isAttestable: Bool {
        switch active?.tail {
        case .whole, .torn: !isWritingSnapshot
        case .attested, .failed, nil: false
        }
    }

    /// Whether the active bank has room for a payload of `count` bytes besides `reserve` bytes. The reserve is ignored until the
    /// next snapshot is due, because upkeep makes no room before that.
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

    /// Makes the state of a bank that was just committed or read back.
    ///
    /// The next snapshot begins when three quarters of the bank are full and an eighth of the bank has been appended since the
    /// last snapshot. It begins earlier if the bank would otherwise have no room for two of the longest records.
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
    /// The log ends with complete records. If the newest one is damaged, the next mount takes it for an interrupted write.
    case whole
    /// A gap record or the end of the snapshot follows the last record. The next mount notices if a record is lost.
    case attested
    /// The mount has found the remains of an interrupted write, from this offset on. A gap record must precede the next record;
    /// otherwise the next mount would take the remains for damage.
    case torn(from: Int)
    /// A write has failed since the mount, and its remains begin here. Only `append` tries again; `attest` does not.
    case failed(from: Int)
}

/// The state of the bank that becomes active next. One cycle through these states changes banks once.
enum StandbyBank: BitwiseCopyable {
    /// The bank may hold the previous generation. A power failure may have left the active bank's commit word half programmed, so
    /// that it reads correctly now but not later. So the word is programmed again before this bank is erased.
    case unconfirmed
    /// The sectors before `next` are erased, except that the last of them may still be erasing.
    case erasing(next: Int)
    /// The bank is erased and marked as prepared.
    case ready
    /// A snapshot is being written to this bank, and new records are appended to both banks.
    case snapshot(Snapshot)
    /// A snapshot has failed. `maintain` reports that next.
    case abandoned(JournalError)
    /// Three attempts in a row failed. The next attempt follows the next mount.
    case givenUp
}

struct Snapshot: BitwiseCopyable {
    var generation: UInt32
    var end: Int
    var cursor: SnapshotCursor
}

enum MaintenanceStep: Equatable, BitwiseCopyable {
    /// Nothing to do until more records have been appended.
    case idle
    case again
    /// A sector is being erased. The next step must wait until the flash is ready.
    case waitingForErase
    /// The attempt failed, but the active bank is safe. After three failures in a row, the journal changes no banks until the
    /// next mount. It still appends records while the active bank has room.
    case failed(JournalError)
}

enum AppendOutcome: Equatable, BitwiseCopyable {
    case kept
    /// The record was written after this many sectors were erased; 0 if the other bank was already erased.
    case keptAfterWaiting(erases: Int)
}

enum ReplayOutcome: Equatable, BitwiseCopyable {
    case applied
    /// The client does not know this kind of record. A newer version has written it.
    case unknownKind
    /// The client knows the kind of record, but cannot read this one.
    case unreadable
}

/// How far a snapshot has come. The numbers have a meaning only for the client.
struct SnapshotCursor: BitwiseCopyable {
    var part = 0
    var element = 0
}

struct SnapshotRecord: BitwiseCopyable {
    var kind: RecordKind
    /// The length of the payload, from 0 to `JournalFormat.maximumPayload` bytes.
    var count: Int
}

/// The owner of the state that the journal keeps. A snapshot is written from the state in memory, never from old records.
///
/// A later record about the same thing replaces an earlier one. Applying a record again, with all records after it, changes
/// nothing.
protocol JournalClient: ~Copyable {
    /// Applies a record that was read back. Records come in the order of writing, and `payload` is valid during the call.
    ///
    /// Records of an unknown kind are counted, and dropped at the next change of banks. This version cannot keep their state up
    /// to date, and for a newer version stale state is worse than none.
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome

    /// Writes the next record of a snapshot into `payload`, and advances `cursor`. Returns the record; nil at the end.
    ///
    /// The state may change between two calls, and each call writes the present state. The caller must append each change
    /// completely before the next call, so that no snapshot has half of a change. A record of up to 248 bytes takes one or two
    /// page programs, and a longer one three.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord?
}

package enum MountOrigin: Equatable, Sendable, BitwiseCopyable {
    case blank
    /// The journal was found. The generation counts the banks written since the chip was new, from 1.
    case log(generation: UInt32)
    /// The chip has data but no readable records: no bank is committed, or the committed bank is empty and an earlier start
    /// abandoned the other one. The journal starts empty.
    case unreadable
    /// A newer version wrote the newest bank. The journal starts empty, because an older bank would bring back message numbers
    /// that have been used since.
    case newerFormat(version: UInt8)
}

enum MountTail: Equatable, BitwiseCopyable {
    /// Nothing was written after the last record.
    case clean
    /// The power failed during a write, or more than one bit of the last record is wrong; the two look the same. New records
    /// begin on the next unwritten page.
    case torn(bytes: Int)
}

struct MountReport: Equatable, BitwiseCopyable {
    var origin: MountOrigin
    var tail: MountTail = .clean
    var applied = 0
    /// How many records are of an unknown kind. The next change of banks drops them.
    var unknown = 0
    /// How many records have a valid checksum, but are unreadable for the client.
    var unreadable = 0
    /// How many records had one wrong bit, which was corrected; plus 1 if the bank's header or commit word had one. The next
    /// change of banks writes them again.
    var repaired = 0
    /// How many places in the log are damaged. Each has lost one or more records. Later records were still found.
    var damaged = 0

    var isEmpty: Bool { applied + unknown + unreadable + damaged == 0 }

    /// Whether no appended record is missing. If one is, the phone may rely on something that the watch has lost. The watch must
    /// then forget which of the phone's messages it has applied, and begin a new epoch.
    var isComplete: Bool {
        switch origin {
        case .blank, .log: damaged == 0 && unreadable == 0
        case .unreadable, .newerFormat: false
        }
    }
}
