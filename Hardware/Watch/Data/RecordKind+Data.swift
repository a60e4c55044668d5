extension RecordKind {
    /// One item of the list, written by a snapshot.
    static var item: RecordKind { RecordKind(rawValue: 8) }
    /// The whole list was asked for again, with the sequence number of the queued message that asks.
    static var reloadRequest: RecordKind { RecordKind(rawValue: 9) }
    /// The order of the rows, as the legacy handler writes it. Nobody reads it.
    static var sortingOrder: RecordKind { RecordKind(rawValue: 10) }
    /// One entry of the time line, written by a snapshot.
    static var timelineEntry: RecordKind { RecordKind(rawValue: 11) }
    /// The list's name, written by a snapshot.
    static var listName: RecordKind { RecordKind(rawValue: 12) }
}
