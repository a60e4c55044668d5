/// The kind of a record: a number in flash that is never reused: 2, 7 and 9 are free. 0 and 255 belong to the journal.
///
/// The journal does not read records. It passes a kind of a newer version to the client like any other; see
/// `JournalClient.replay`.
struct RecordKind: Equatable, BitwiseCopyable {
    var rawValue: UInt8

    /// A batch of changes to the list (put, remove, clear), as the phone sent it.
    static var listChanges: RecordKind { RecordKind(rawValue: 1) }
    /// The positions of the streams to and from the phone.
    static var positions: RecordKind { RecordKind(rawValue: 3) }
    /// This watch's identity, the epoch in which it was drawn, and the phones that it has belonged to.
    static var identity: RecordKind { RecordKind(rawValue: 4) }
    /// The name of the list and the time of the last trip.
    static var title: RecordKind { RecordKind(rawValue: 5) }
    /// The complication's time line, or a part of it.
    static var timeLine: RecordKind { RecordKind(rawValue: 6) }

    /// The journal's own record of a gap: the bytes before it, from an offset on, are the remains of an interrupted
    /// program. Where the gap is empty, it says that all before it is whole.
    static var gap: RecordKind { RecordKind(rawValue: 0) }

    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
