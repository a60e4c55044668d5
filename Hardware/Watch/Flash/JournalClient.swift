/// What became of a record that was read back.
public enum ReplayOutcome: Sendable, Equatable, BitwiseCopyable {
    /// It is part of the client's state now.
    case applied
    /// Its kind is not known here: a newer version wrote it.
    case unknownKind
    /// Its kind is known, its contents make no sense.
    case unreadable
}

/// How far a client is in writing its state down. It starts at zero; the meaning of the numbers is the client's own.
public struct SnapshotCursor: Sendable, Equatable, BitwiseCopyable {
    /// Which part of the state comes next.
    public var part: Int
    /// Which element of that part comes next.
    public var element: Int

    /// The beginning of a snapshot.
    public init() {
        part = 0
        element = 0
    }
}

/// One record of a snapshot: its kind, and how many bytes of the buffer it fills.
public struct SnapshotRecord: Sendable, Equatable, BitwiseCopyable {
    /// What the record holds.
    public var kind: RecordKind
    /// The payload's length in bytes, 0 to `Journal.maximumPayload`.
    public var count: Int

    /// A record of `kind` with `count` bytes.
    public init(kind: RecordKind, count: Int) {
        self.kind = kind
        self.count = count
    }
}

/// Whose state the journal keeps. The state in memory is the truth: a snapshot is written from it, never from old records.
///
/// Records are idempotent and the last one wins: applying a record a second time, after any records that followed it the
/// first time have been applied again too, changes nothing.
public protocol JournalClient: ~Copyable {
    /// Applies a record that was read back. Records come in the order in which they were written; `payload` is valid during
    /// the call alone.
    ///
    /// A record of an unknown kind is answered with `.unknownKind` and otherwise ignored. The journal counts such records
    /// and drops them when it next changes banks: nobody here keeps the state behind them up to date, and stale state is
    /// worse for the version that finds it again than none.
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome

    /// Writes the next record of a snapshot into `payload`, moves `cursor` on and returns the record, or nil at the end.
    ///
    /// Snapshots are taken in steps, between which the state may change through records that are appended. What a step
    /// writes is the state at that moment. The state has to be complete and every change to it appended by then, so that
    /// no half of a change is snapshotted. A record of up to 248 bytes costs one or two page programs, longer ones three.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord?
}
