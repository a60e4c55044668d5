/// What a record of the journal holds.
///
/// The journal itself does not look into records. A kind that this version does not know, written by a newer one, is handed
/// to the client like any other; see `JournalClient.replay`. Numbers are never reused. 0 and 255 belong to the journal.
public struct RecordKind: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The number in flash: 1 to 254.
    public var rawValue: UInt8

    /// Kind number `rawValue`.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A batch of changes to the list (put, remove, clear), as the phone sent it.
    public static var listChanges: RecordKind { RecordKind(rawValue: 1) }
    /// An item was checked off, with the sequence number of the queued message that tells the phone.
    public static var checkOff: RecordKind { RecordKind(rawValue: 2) }
    /// How far the streams to and from the phone have been issued, applied and acknowledged.
    public static var positions: RecordKind { RecordKind(rawValue: 3) }
    /// This watch's identity and the epoch of its outgoing streams.
    public static var identity: RecordKind { RecordKind(rawValue: 4) }
    /// The name of the list and the time of the last trip.
    public static var title: RecordKind { RecordKind(rawValue: 5) }
    /// The complication's time line, or a part of it.
    public static var timeLine: RecordKind { RecordKind(rawValue: 6) }
    /// The keys of the bond with a phone. Reserved: nothing writes it yet.
    public static var bond: RecordKind { RecordKind(rawValue: 7) }

    /// The journal's own note that the bytes between two places are what an interrupted program left.
    static var gap: RecordKind { RecordKind(rawValue: 0) }

    /// Whether a client may append records of this kind.
    var isForClients: Bool { rawValue != 0 && rawValue != 0xFF }
}
