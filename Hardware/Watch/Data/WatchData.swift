import WatchLink

/// Everything that the watch keeps across a restart. What is in RAM here is the truth; the journal is its shadow in flash.
///
/// The list, the time line and the outbox keep their own state; what is beside them changes only here, by what happened:
/// a message of the phone's, a meeting, a row that goes, a record that is read back.
struct WatchData: ~Copyable {
    /// The list on the wrist.
    var items: ItemList
    /// Messages to the phone.
    var outbox: Outbox
    /// The complication's entries.
    private(set) var timeline: Timeline
    /// Which watch this is, and which stream of messages it is sending.
    private(set) var identity: StoredIdentity = .unknown
    /// How far the phone's streams of messages have come.
    private var positions = LinkPositions()
    /// Items of the phone's list beyond those on the wrist.
    private(set) var more: UInt32 = 0
    /// The list's name.
    private(set) var title = ItemTitle()
    /// When the last item of a list was checked off.
    private(set) var lastTrip: LastTrip = .never
    private var reloadState: ReloadState = .none
    private let inPlace = InPlace()

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { ItemList.memorySize + Timeline.memorySize + Outbox.memorySize }

    /// No data yet, with the memory for all of it taken from `arena`.
    init(arena: inout MemoryArena) {
        items = ItemList(arena: &arena)
        timeline = Timeline(arena: &arena)
        outbox = Outbox(arena: &arena)
    }

    /// The number of items that are still to be checked off, those beyond the watch included.
    var remaining: UInt32 { UInt32(truncatingIfNeeded: items.waitingCount) &+ more }

    /// What stands in the list's place once the checked rows have gone.
    var placeholder: EmptyListPlaceholder {
        guard items.waitingCount == 0 else { return .none }
        return positions.peerEpoch == 0 && title.isEmpty ? .noListYet : .allDone
    }

    /// Whether a list that was asked for with this token has come in full.
    func hasReloaded(_ token: UInt32) -> Bool { reloadState == .arrived(token: token) }

    /// Takes the row of an item away that was checked off at `time`, if the clock was set then. The last item of a list ends
    /// the trip.
    mutating func removeRow(_ row: Int, checkedAt time: LocalTime?) {
        items.remove(row: row)
        endTripIfDone(at: time)
    }

    private mutating func endTripIfDone(at time: LocalTime?) {
        if items.isEmpty, more == 0, let time { lastTrip = .ended(time) }
    }
}

// MARK: The streams of messages

extension WatchData {
    /// Where the streams of both sides stand.
    var streamPositions: StreamPositions {
        var stream = StreamPositions()
        stream.queuedIssued = outbox.keptSequence
        stream.queuedAcknowledged = outbox.acknowledgedSequence
        stream.peerEpoch = positions.peerEpoch
        stream.queuedApplied = positions.queuedApplied
        stream.latestApplied = positions.latestApplied
        return stream
    }

    /// Takes over where the phone's streams stand after a meeting.
    mutating func meet(_ stream: StreamPositions) -> MeetingEffect {
        let before = positions
        positions.peerEpoch = stream.peerEpoch
        positions.queuedApplied = stream.queuedApplied
        positions.latestApplied = stream.latestApplied
        return positions == before ? .samePositions : .otherPositions
    }

    /// Notes that a message of the phone's is dealt with.
    mutating func noteApplied(_ header: MessageHeader) {
        switch header.delivery {
        case .queued: positions.queuedApplied = header.sequence
        case .latest: positions.latestApplied = header.sequence
        }
    }

    /// Becomes another watch.
    mutating func adopt(_ identity: StoredIdentity) {
        self.identity = identity
    }

    /// Forgets what was applied of the phone's streams: everything is given again.
    mutating func forgetPhone() {
        positions = LinkPositions()
    }
}

/// What a meeting with the phone means for what is kept.
enum MeetingEffect: BitwiseCopyable {
    /// Nothing.
    case samePositions
    /// The positions are others than those in flash.
    case otherPositions
}

// MARK: Messages from the phone

// They are applied the same way whether they come from the radio or are read back from the journal. A message is read whole
// before anything of it is used, so one that cannot be understood changes nothing.
extension WatchData {
    /// Applies a message and returns what it means for the panel.
    ///
    /// - Parameter held: the item whose row stays under the finger, though the phone takes it off the list; nil for none.
    /// - Throws: what is wrong with the payload.
    mutating func apply(
        _ name: FeedName, _ payload: Span<UInt8>, holding held: ItemID?
    ) throws(CBORError) -> DataEffect {
        var reader = CBORReader(payload)
        switch name {
        case .list:
            return try applyList(reader, holding: held)
        case .title:
            let title = try TitleMessage(from: &reader)
            apply(title)
            return .title
        case .complication:
            return try applyTimeline(reader)
        }
    }

    /// Forgets a latest value that the phone has cleared.
    mutating func clear(_ name: FeedName) -> DataEffect {
        switch name {
        case .list:
            return .list
        case .title:
            title = ItemTitle()
            return .title
        case .complication:
            timeline.removeAll()
            return .complication
        }
    }

    private mutating func applyList(_ reader: CBORReader, holding held: ItemID?) throws(CBORError) -> DataEffect {
        var changes = try ListMessageReader(reader)
        defer { if let token = changes.message.reloadToken { reloadState = .arrived(token: token) } }
        switch changes.message.rows {
        case .beyond: return changes.message.reloadToken == nil ? .passing : .passed
        case .given: break
        }
        more = changes.message.more
        while let change = changes.next() {
            switch change {
            case .clear:
                items.removeAll()
            case .put(let id, let rank, let title):
                // The phone did not know yet that it is checked off when it sent this.
                if outbox.holdsCheckOff(of: ItemID(id)) { continue }
                items.put(ListItem(id: ItemID(id), rank: rank, title: title))
            case .remove(let id):
                // Its check-off has reached the phone while the row is held under the finger: it goes when that is over. Any
                // other row goes now, also one that a handler has checked off and never removes.
                guard held != ItemID(id), let row = items.row(of: ItemID(id)) else { continue }
                items.remove(row: row)
            }
        }
        return .list
    }

    private mutating func apply(_ message: TitleMessage) {
        title = message.listName
        if let trip = message.lastTrip, trip > lastTrip.seconds { lastTrip = LastTrip(seconds: trip) }
    }

    private mutating func applyTimeline(_ reader: CBORReader) throws(CBORError) -> DataEffect {
        var entries = try ComplicationMessageReader(reader)
        timeline.removeAll()
        while let entry = entries.next() { timeline.extend(with: entry) }
        return .complication
    }
}

// MARK: Records

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

    /// Check-off: sequence, id, time (0: unknown). Reload request: sequence, token.
    func write(_ message: OutboxMessage, sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(sequence)
        switch message {
        case .checkOff(let id, let time):
            try writer.unsigned(id.rawValue)
            try writer.unsigned(time?.seconds ?? 0)
        case .reload(let token):
            try writer.unsigned(token)
        }
    }

    mutating func readCheckOff(_ reader: inout CBORReader) throws(CBORError) {
        let sequence = try reader.word()
        let id = ItemID(try reader.word())
        let seconds = try reader.word()
        let time = seconds == 0 ? nil : LocalTime(seconds: seconds)
        outbox.restore(.checkOff(id, at: time), sequence: sequence)
        if let row = items.row(of: id) { items.remove(row: row) }
        endTripIfDone(at: time)
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
            _ = try apply(name, payload.extracting(reader.offset..<payload.count), holding: nil)
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
