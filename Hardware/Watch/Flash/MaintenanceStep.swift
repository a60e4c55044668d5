/// What a step of the journal's upkeep came to.
public enum MaintenanceStep: Sendable, Equatable, BitwiseCopyable {
    /// There is nothing to do until more records have been appended.
    case idle
    /// A step was done; another may follow when there is nothing more urgent.
    case again
    /// A sector is being erased: nothing can be done before the flash is ready again.
    case waitingForErase
    /// A step failed. What is in the active bank is safe; after three failures in a row the journal stops trying to change
    /// banks until the next mount, and records are taken for as long as the active bank has room.
    case failed(JournalError)
}

/// What it took to keep a record.
public enum AppendOutcome: Sendable, Equatable, BitwiseCopyable {
    /// It was programmed at once.
    case kept
    /// It was programmed after waiting for the end of so many sector erases (0 when only banks were changed).
    case keptAfterWaiting(erases: Int)
}
