/// The bank that records are appended to.
struct ActiveBank: BitwiseCopyable {
    var index: BankIndex
    var generation: UInt32
    /// The offset of the next record.
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

/// What precedes the next record.
enum LogTail: BitwiseCopyable {
    /// Whole records, and nothing behind the newest one. If that one decays, the next mount takes it for an interrupted program.
    case whole
    /// Whole records, and a gap record or the snapshot's end behind them: the next mount notices where one of them is lost.
    case attested
    /// The remains of an interrupted program, found at the mount, from this offset on. A gap record precedes the next
    /// record, because the next mount could not tell the remains from damage otherwise.
    case torn(from: Int)
    /// The remains of a program that has failed since the mount, like those. Only a record that must be kept is tried again.
    case failed(from: Int)
}

/// The bank that will be active next. One cycle of the states is one change of banks.
enum StandbyBank: BitwiseCopyable {
    /// It may hold the previous generation. The power may have failed while the active bank's commit word was being
    /// programmed, so that it reads well now and not the next time; it is programmed again before anything is erased.
    case unconfirmed
    /// The sectors before `next` are erased, or the last of them is being erased.
    case erasing(next: Int)
    /// It is erased and marked as prepared.
    case ready
    /// A snapshot is being written to it, and records are appended to both banks.
    case snapshot(Snapshot)
    /// A snapshot failed, which `maintain` has yet to report.
    case abandoned(JournalError)
    /// Three attempts in a row failed: there is no other until the next mount.
    case givenUp
}

struct Snapshot: BitwiseCopyable {
    var generation: UInt32
    /// The offset of the next record in the standby bank.
    var end: Int
    var cursor: SnapshotCursor
}

/// The outcome of a step of the journal's upkeep.
enum MaintenanceStep: Equatable, BitwiseCopyable {
    /// There is nothing to do until more records have been appended.
    case idle
    /// A step was done; another may follow.
    case again
    /// A sector is being erased: nothing can be done until the flash is ready.
    case waitingForErase
    /// A step failed. The active bank is safe. After three failures in a row the journal does not change banks until
    /// the next mount, and appends records for as long as the active bank has room.
    case failed(JournalError)
}

enum AppendOutcome: Equatable, BitwiseCopyable {
    /// It was programmed at once.
    case kept
    /// It was programmed after this number of sector erases (0 where only banks were changed).
    case keptAfterWaiting(erases: Int)
}
