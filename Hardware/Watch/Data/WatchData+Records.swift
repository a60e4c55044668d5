import WatchLink

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

// Records are short CBOR sequences. Each says in one line what it holds.
extension WatchData {
    /// identity, epoch
    func writeIdentity(_ writer: inout CBORWriter) throws(CBORError) {
        switch identity {
        case .unknown:
            return
        case .known(let identity, let epoch):
            try writer.unsigned(identity)
            try writer.unsigned(epoch)
        }
    }

    mutating func readIdentity(_ reader: inout CBORReader) throws(CBORError) {
        identity = .known(identity: try reader.unsigned(), epoch: try reader.word())
    }

    /// acknowledged, peer epoch, queued applied, latest applied, more, last trip (0: never)
    func writePositions(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try writer.unsigned(positions.peerEpoch)
        try writer.unsigned(positions.queuedApplied)
        try writer.unsigned(positions.latestApplied)
        try writer.unsigned(more)
        try writer.unsigned(lastTrip.seconds)
    }

    mutating func readPositions(_ reader: inout CBORReader) throws(CBORError) {
        let acknowledged = try reader.word()
        if outbox.count == 0 {
            outbox.reset(acknowledged: max(acknowledged, outbox.acknowledgedSequence))
        } else {
            while outbox.popAcknowledged(upTo: acknowledged) != nil {}
        }
        positions.peerEpoch = try reader.word()
        positions.queuedApplied = try reader.word()
        positions.latestApplied = try reader.word()
        more = try reader.word()
        lastTrip = LastTrip(seconds: try reader.word())
    }

    /// id, rank, cut, title
    @inline(never)
    func write(_ item: ListItem, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(item.id.rawValue)
        try writer.unsigned(item.rank)
        try writer.unsigned(UInt32(item.title.completeness.rawValue))
        try writer.text(item.title.utf8)
    }

    @inline(never)
    mutating func readItem(_ reader: inout CBORReader) throws(CBORError) {
        let id = ItemID(try reader.word())
        let rank = try reader.word()
        let completeness: ItemTitle.Completeness = try reader.word() == 0 ? .whole : .cut
        let title = ItemTitle(utf8: try reader.text(), completeness: completeness)
        items.put(ListItem(id: id, rank: rank, title: title))
    }

    /// Check-off: sequence, id, time (0: unknown). Reload request: sequence, token. Returns the kind of record.
    func write(_ message: OutboxMessage, sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) -> RecordKind {
        try writer.unsigned(sequence)
        switch message {
        case .checkOff(let id, let time):
            try writer.unsigned(id.rawValue)
            try writer.unsigned(time?.seconds ?? 0)
            return .checkOff
        case .reload(let token):
            try writer.unsigned(token)
            return .reloadRequest
        }
    }

    mutating func readCheckOff(_ reader: inout CBORReader) throws(CBORError) {
        let sequence = try reader.word()
        let id = ItemID(try reader.word())
        let seconds = try reader.word()
        let time = seconds == 0 ? nil : LocalTime(seconds: seconds)
        outbox.restore(.checkOff(id, at: time), sequence: sequence)
        if let row = items.row(of: id) { items.remove(row: row) }
        if items.isEmpty, more == 0, let time { lastTrip = .ended(time) }
    }

    /// A message as it came: its number, acknowledged up to, then the payload itself
    func writeHead(sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(sequence)
        try writer.unsigned(outbox.acknowledgedSequence)
    }

    @inline(never)
    mutating func readMessage(_ name: FeedName, _ payload: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(payload)
        let sequence = try reader.word()
        // A check-off that the phone had acknowledged by then no longer keeps its item off the list.
        let acknowledged = try reader.word()
        while outbox.popAcknowledged(upTo: acknowledged) != nil {}
        if reader.isAtEnd {
            _ = clear(name)
        } else {
            _ = try apply(name, payload.extracting(reader.offset..<payload.count))
        }
        switch name.delivery {
        case .queued: positions.queuedApplied = sequence
        case .latest: positions.latestApplied = max(positions.latestApplied, sequence)
        }
    }

    /// name, cut
    @inline(never)
    func writeListName(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.text(title.utf8)
        try writer.unsigned(UInt32(title.completeness.rawValue))
    }

    @inline(never)
    mutating func readListName(_ reader: inout CBORReader) throws(CBORError) {
        let text = try reader.text()
        let bytes = ItemTitle(utf8: text)
        title = try reader.word() == 0 ? bytes : ItemTitle(utf8: bytes.utf8, completeness: .cut)
    }

    /// position, entry
    @inline(never)
    func writeTimelineEntry(_ index: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(truncatingIfNeeded: index))
        try timeline[index].encode(into: &writer)
    }

    @inline(never)
    mutating func readTimelineEntry(_ reader: inout CBORReader) throws(CBORError) {
        if try reader.word() == 0 { timeline.removeAll() }
        timeline.extend(with: try ComplicationEntry(from: &reader))
    }

    mutating func readReloadRequest(_ reader: inout CBORReader) throws(CBORError) {
        let sequence = try reader.word()
        outbox.restore(.reload(token: try reader.word()), sequence: sequence)
    }
}

extension LastTrip {
    /// Seconds since 1970, 0 for never: what a record and the wire hold.
    var seconds: UInt32 {
        switch self {
        case .never: 0
        case .ended(let time): time.seconds
        }
    }

    init(seconds: UInt32) {
        self = seconds == 0 ? .never : .ended(LocalTime(seconds: seconds))
    }
}
