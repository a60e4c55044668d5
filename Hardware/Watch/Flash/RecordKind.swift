/// The kind of a record: a number in flash that is never reused. 0 and 255 belong to the journal.
///
/// The journal does not read records. It passes a kind of a newer version to the client like any other; see
/// `JournalClient.replay`.
struct RecordKind: Equatable, BitwiseCopyable {
    var rawValue: UInt8

    /// A batch of changes to the list (put, remove, clear), as the phone sent it.
    static var listChanges: RecordKind { RecordKind(rawValue: 1) }
    /// An item was checked off, with the sequence of the queued message to the phone, of a version without origins.
    static var checkOff: RecordKind { RecordKind(rawValue: 2) }
    /// The positions of the streams to and from the phone.
    static var positions: RecordKind { RecordKind(rawValue: 3) }
    /// This watch's identity, the epoch of messages whose records have none, and the identity of its phone.
    static var identity: RecordKind { RecordKind(rawValue: 4) }
    /// The name of the list and the time of the last trip.
    static var title: RecordKind { RecordKind(rawValue: 5) }
    /// The complication's time line, or a part of it.
    static var timeLine: RecordKind { RecordKind(rawValue: 6) }
    /// The keys of the bond with a phone. Reserved: nothing writes it yet.
    static var bond: RecordKind { RecordKind(rawValue: 7) }

    /// The journal's own record of a gap: the bytes before it, from an offset on, are the remains of an interrupted
    /// program. Where the gap is empty, it says that all before it is whole.
    static var gap: RecordKind { RecordKind(rawValue: 0) }

    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
