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

    var erasesNext: Bool {
        switch standby {
        case .erasing(next: 0): true
        case .unconfirmed, .erasing, .ready, .snapshot, .abandoned, .givenUp: false
        }
    }

    /// Whether the next mount would not notice the loss of the newest record, and `attest` changes that. Not needed
    /// while a snapshot is being written: a bank that has just been committed is attested.
    var isAttestable: Bool {
        switch active?.tail {
        case .whole, .torn: !isWritingSnapshot
        case .attested, .failed, nil: false
        }
    }

    /// Whether the active bank has room for a payload of `count` bytes and `reserve` bytes beside it. In a small bank
    /// nothing is reserved until the next snapshot is due, because no upkeep would make room before.
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
    /// The offset of `end` at which a snapshot into the other bank begins.
    var trigger: Int

    /// A bank that has just been committed or read back.
    ///
    /// The next snapshot begins when three quarters are full, but not before an eighth of the bank has been appended,
    /// and early enough for two of the longest records to be appended during the snapshot.
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
    /// Whole records. If the newest one decays, the next mount takes it for an interrupted program.
    case whole
    /// Whole records, and a gap record or the snapshot's end behind them: the next mount notices the loss of one.
    case attested
    /// The remains of an interrupted program, found at the mount, from this offset on. A gap record must precede the
    /// next record, because the next mount could not tell the remains from damage otherwise.
    case torn(from: Int)
    /// The remains of a program that failed since the mount. Only a record that must be kept is tried again.
    case failed(from: Int)
}

/// The bank that will be active next. One cycle of the states is one change of banks.
enum StandbyBank: BitwiseCopyable {
    /// It may hold the previous generation. The power may have failed while the active bank's commit word was being
    /// programmed, so that it reads well now and not the next time. It is programmed again before anything is erased.
    case unconfirmed
    /// The sectors before `next` are erased, or the last of them is being erased.
    case erasing(next: Int)
    /// Erased and marked as prepared.
    case ready
    /// A snapshot is being written to it, and records are appended to both banks.
    case snapshot(Snapshot)
    /// A snapshot failed, which `maintain` has yet to report.
    case abandoned(JournalError)
    /// Three attempts in a row failed. There is no other until the next mount.
    case givenUp
}

struct Snapshot: BitwiseCopyable {
    var generation: UInt32
    var end: Int
    var cursor: SnapshotCursor
}

enum MaintenanceStep: Equatable, BitwiseCopyable {
    /// There is nothing to do until more records have been appended.
    case idle
    case again
    /// A sector is being erased: nothing can be done until the flash is ready.
    case waitingForErase
    /// The active bank is safe. After three failures in a row the journal does not change banks until the next mount,
    /// and appends records while the active bank has room.
    case failed(JournalError)
}

enum AppendOutcome: Equatable, BitwiseCopyable {
    case kept
    /// Programmed after this number of sector erases (0 if only banks were changed).
    case keptAfterWaiting(erases: Int)
}

enum ReplayOutcome: Equatable, BitwiseCopyable {
    case applied
    /// The client does not know the kind, which a newer version wrote.
    case unknownKind
    /// The client knows the kind and cannot read the contents.
    case unreadable
}

/// The meaning of the numbers is the client's own.
struct SnapshotCursor: BitwiseCopyable {
    var part = 0
    var element = 0
}

struct SnapshotRecord: BitwiseCopyable {
    var kind: RecordKind
    /// 0 to `JournalFormat.maximumPayload` bytes.
    var count: Int
}

/// The owner of the state in the journal. A snapshot is written from the state in memory, never from old records.
///
/// Records are idempotent and the last one wins: applying a record again, and all that followed it, changes nothing.
protocol JournalClient: ~Copyable {
    /// Applies a record that was read back. Records come in the order of writing; `payload` is valid during the call.
    ///
    /// Records of an unknown kind are counted, and dropped at the next change of banks. This version does not keep their state up
    /// to date, and stale state is worse for a newer version than none.
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome

    /// Writes the next record of a snapshot into `payload`, advances `cursor` and returns the record, nil at the end.
    ///
    /// Records that are appended between two calls may change the state; each call writes the state at its time. Every
    /// change must be complete and appended by then, so that no snapshot has half of one. A record of up to 248 bytes
    /// costs one or two page programs, a longer one three.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord?
}

package enum MountOrigin: Equatable, Sendable, BitwiseCopyable {
    case blank
    /// Generations count the banks written since the chip was new, from 1.
    case log(generation: UInt32)
    /// The chip held something but no committed bank, or an empty one beside another that was given up. The journal
    /// starts empty.
    case unreadable
    /// The newest bank has a layout of a newer version. The journal starts empty, because an older bank would bring
    /// back sequence numbers that have been used since.
    case newerFormat(version: UInt8)
}

enum MountTail: Equatable, BitwiseCopyable {
    /// Nothing was ever written after the last record.
    case clean
    /// The power failed during a write, or more than a bit of the last record has decayed; the two look alike. New
    /// records go to the next untouched page.
    case torn(bytes: Int)
}

struct MountReport: Equatable, BitwiseCopyable {
    var origin: MountOrigin
    var tail: MountTail = .clean
    var applied = 0
    /// Records of unknown kinds. The next change of banks drops them.
    var unknown = 0
    /// Records with a valid checksum that the client could not read.
    var unreadable = 0
    /// Records with one decayed bit, which was put right, and 1 for such a bit in the bank's header or commit word. The
    /// next change of banks writes them anew.
    var repaired = 0
    /// Decayed stretches of the log, each of one or more lost records. The records behind them were found.
    var damaged = 0

    var isEmpty: Bool { applied + unknown + unreadable + damaged == 0 }

    /// Whether everything that was ever appended is there. If not, the phone may believe that the watch has what it has
    /// lost. The watch must then forget what it applied of the phone's streams and begin a new epoch.
    var isComplete: Bool {
        switch origin {
        case .blank, .log: damaged == 0 && unreadable == 0
        case .unreadable, .newerFormat: false
        }
    }
}
