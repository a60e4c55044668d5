/// The bank that records are appended to.
struct ActiveBank: Sendable, BitwiseCopyable {
    var index: BankIndex
    var generation: UInt32
    /// Where the next record goes.
    var end: Int
    /// What lies before `end`.
    var tail: LogTail
    /// Once `end` has reached this, a snapshot into the other bank begins.
    var trigger: Int

    /// A bank that has just been committed or read back.
    ///
    /// The next snapshot begins when three quarters are full, but not before an eighth has been added to this one, and
    /// early enough for two records of the greatest length to be appended while it is taken.
    init(index: BankIndex, generation: UInt32, snapshotEnd: Int, bankSize: Int) {
        self.index = index
        self.generation = generation
        end = snapshotEnd
        tail = .whole
        let wanted = max(bankSize / 4 * 3, snapshotEnd + bankSize / 8)
        let latest = bankSize - 2 * JournalFormat.stride(JournalFormat.maximumPayload)
        trigger = max(min(wanted, latest), snapshotEnd + JournalFormat.alignment)
    }
}

/// What lies in front of the place where the next record goes.
enum LogTail: Sendable, BitwiseCopyable {
    /// Whole records.
    case whole
    /// What an interrupted or failed program left, from this offset on. The next record is preceded by one that says so,
    /// because the next mount could not tell it from damage otherwise.
    case torn(from: Int)
}

/// The bank that will be active next. One turn of the states is one turn of the banks.
enum StandbyBank: Sendable, BitwiseCopyable {
    /// It may hold the previous generation, and the power may have failed while the active bank's commit word was being
    /// programmed, so that it reads well now and not the next time. It is programmed again before anything is erased.
    case unconfirmed
    /// The sectors before `next` are erased, or the last of them is being erased.
    case erasing(next: Int)
    /// Erased and marked so.
    case ready
    /// A snapshot is being written to it, and records are appended to both banks.
    case snapshot(Snapshot)
    /// Something failed, which `maintain` has yet to report.
    case abandoned(JournalError)
    /// Three attempts in a row failed: nothing more is tried until the next mount.
    case givenUp
}

/// A snapshot that is being written.
struct Snapshot: Sendable, BitwiseCopyable {
    var generation: UInt32
    /// Where the next record goes, in the standby bank.
    var end: Int
    var cursor: SnapshotCursor
}
