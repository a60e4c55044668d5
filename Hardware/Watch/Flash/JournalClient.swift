enum ReplayOutcome: Equatable, BitwiseCopyable {
    /// It is part of the client's state now.
    case applied
    /// The client does not know its kind, which a newer version wrote.
    case unknownKind
    /// The client knows its kind and cannot read its contents.
    case unreadable
}

/// The client's position in writing its state. The meaning of the numbers is the client's own.
struct SnapshotCursor: BitwiseCopyable {
    var part = 0
    var element = 0
}

struct SnapshotRecord: BitwiseCopyable {
    var kind: RecordKind
    /// The payload's length in bytes, 0 to `JournalFormat.maximumPayload`.
    var count: Int
}

/// The owner of the state in the journal. A snapshot is written from the state in memory, never from old records.
///
/// Records are idempotent and the last one wins: applying a record again, and all that followed it, changes nothing.
protocol JournalClient: ~Copyable {
    /// Applies a record that was read back. Records come in the order of writing; `payload` is valid during the call
    /// alone.
    ///
    /// The journal counts records of an unknown kind and drops them at the next change of banks: nothing here keeps the
    /// state behind them up to date, and for a newer version stale state is worse than none.
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome

    /// Writes the next record of a snapshot into `payload`, advances `cursor` and returns the record, nil at the end.
    ///
    /// Records that are appended between two calls may change the state; each call writes the state at its time. Every
    /// change has to be complete and appended by then, so that no snapshot has half of one. A record of up to 248 bytes
    /// costs one or two page programs, a longer one three.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord?
}
