import WatchLink

/// The data that the watch keeps across a restart, except files from the phone. The watch works with this state in memory. It
/// reads the records of the journal in flash only at the start.
struct WatchData: ~Copyable {
    /// How far the watch has applied the phone's messages.
    struct LinkPositions: Equatable, BitwiseCopyable {
        /// A random number that the phone chooses when it starts to number its messages; nil before the first link.
        var peerEpoch: UInt32?
        var queuedApplied: UInt32 = 0
        var latestApplied: UInt32 = 0
        /// The number of the newest queued message that the phone had issued when it last connected.
        var queuedExpected: UInt32 = 0
        /// The checksum `HandlerMessages.valueNames` of the handler for which the positions were stored.
        var valueNames: UInt32 = 0

        var isListComplete: Bool { peerEpoch != nil && queuedApplied >= queuedExpected }
    }

    private enum Reload: Equatable, BitwiseCopyable {
        case none
        /// The watch has requested the list. The answer will carry this token.
        case awaited(UInt32)
        case arrived(UInt32)
    }

    var items: ItemList
    var outbox: Outbox
    var messages: HandlerMessages
    private(set) var timeline: Timeline
    /// The watch's identity. Nil if the watch is new, or its flash was erased.
    var identity: UInt64?
    var phones = PhoneLineage()
    var losses = UnreadLosses()
    var settings = WatchSettings()
    /// Queued messages in flash whose names the handler did not declare.
    var strays = StrayMessages()
    /// A random number, never 0, that the watch chooses at each start and in `WatchCore.beginEpoch`. It separates messages of
    /// the watch that have the same number but were issued in different epochs.
    var epoch: UInt32 = 1
    var positions = LinkPositions()
    /// The number of open items that the watch does not store.
    private(set) var more: UInt32 = 0
    private(set) var title = ItemTitle()
    private(set) var lastCheckOff: LocalTime?
    /// The sequence of the watch's newest message at the time when a trip last ended on this watch. Until the phone
    /// acknowledges that message, the phone does not know of the trip.
    private var tripSequence: UInt32 = 0
    private var reload = Reload.none
    /// Whether the wearer has checked off an item on this watch since the list was last cleared.
    private(set) var hasChecked = false
    private let inPlace = InPlace()

    static var memorySize: Int { ItemList.memorySize + Timeline.memorySize + Outbox.memorySize }

    init(arena: inout MemoryArena, declare: (inout MessageNames) -> Void = { _ in }) {
        items = ItemList(arena: &arena)
        timeline = Timeline(arena: &arena)
        outbox = Outbox(arena: &arena)
        messages = HandlerMessages(arena: &arena, declare: declare)
    }

    /// The number of open items, including those that the watch does not store.
    var remaining: UInt32 { UInt32(truncatingIfNeeded: items.waitingCount) &+ more }

    /// What the list screen shows once it has no rows. `.none` if the watch stores an open item. An item that is checked off
    /// is not open, although its row may still be there.
    var placeholder: EmptyListPlaceholder {
        guard items.waitingCount == 0 else { return .none }
        if positions.peerEpoch == nil, title.isEmpty { return .noListYet }
        guard positions.isListComplete, more == 0 else { return .moreToCome }
        switch reload {
        case .awaited: return .moreToCome
        case .none, .arrived: break
        }
        // The phone knows of any earlier trip, so a list without one never had an item.
        return !hasChecked && lastCheckOff == nil && items.isEmpty ? .nothingYet : .allDone
    }

    mutating func awaitReload(_ token: UInt32) { reload = .awaited(token) }

    func hasReloaded(_ token: UInt32) -> Bool { reload == .arrived(token) }

    /// Removes the row of an item that was checked off. If no row is left and `more` is 0, a trip ends at `time`. If `time`
    /// is nil, because the clock was not set, the watch records no end of a trip.
    mutating func removeRow(_ row: Int, checkedAt time: LocalTime?) {
        items.remove(row: row)
        hasChecked = true
        endTripIfDone(at: time)
    }

    mutating func addPast(_ id: ItemID) -> Bool { items.addPast(id) }

    /// Undoes `addPast`: moves an item from the list to the end of the past items.
    mutating func takeBackPast(_ id: ItemID) {
        guard let row = items.row(of: id) else { return }
        let item = items[row]
        items.remove(row: row)
        items.appendPast(item)
    }

    private mutating func endTripIfDone(at time: LocalTime?) {
        guard items.isEmpty, more == 0, let time else { return }
        lastCheckOff = time
        tripSequence = outbox.newestSequence
    }
}

// MARK: Other phones

extension WatchData {
    /// Forgets what the previous phone sent, such as its list and values, and drops the outbox. The previous phone must have
    /// acknowledged all messages. The numbers of messages to the new phone continue after `phones.resumed`.
    mutating func forgetList() {
        items.removeAll()
        items.removePast()
        timeline.removeAll()
        title = ItemTitle()
        more = 0
        lastCheckOff = nil
        reload = .none
        hasChecked = false
        messages.forgetReceived()
        outbox.reset(after: phones.resumed)
        forgetPhone()
    }

    /// Forgets the positions of the phone's messages, so that the phone sends everything again.
    mutating func forgetPhone() {
        positions = LinkPositions()
    }
}

// MARK: Messages from the phone

// Messages from the radio and from the journal are applied in the same way. A message is read completely before any of it is
// applied, so an invalid message changes nothing.
extension WatchData {
    /// Applies a message from the phone. The row of the item `held` is struck through, and stays for up to 250 ms even if the
    /// phone removes the item.
    mutating func apply(
        _ name: FeedName, _ payload: Span<UInt8>, holding held: ItemID?
    ) throws(CBORError) -> DataEffect {
        var reader = CBORReader(payload)
        switch name {
        case .list:
            return try applyList(reader, .list, holding: held)
        case .title:
            let message = try TitleMessage(from: &reader)
            title = message.listName
            if let trip = message.lastTrip.map(LocalTime.init) { take(trip) }
            return .title
        case .complication:
            return try applyTimeline(reader)
        case .past:
            return try applyList(reader, .past, holding: held)
        }
    }

    /// Sets `lastCheckOff` to the end of the last trip that the phone knows of. Does nothing if a later trip has ended on
    /// this watch and the phone does not know of it yet.
    private mutating func take(_ trip: LocalTime) {
        if let lastCheckOff, lastCheckOff > trip, outbox.acknowledgedSequence < tripSequence { return }
        lastCheckOff = trip
    }

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
        case .past:
            items.removePast()
            return .past
        }
    }

    /// Applies changes of the list or of the past items. A message with past items replaces all past items, so `.clear` and
    /// `.remove` do nothing in such a message.
    private mutating func applyList(
        _ reader: CBORReader, _ rows: ItemList.Rows, holding held: ItemID?
    ) throws(CBORError) -> DataEffect {
        var changes = try ListMessageReader(reader)
        defer { if let token = changes.message.reloadToken { reload = .arrived(token) } }
        switch changes.message.rows {
        case .beyond: return changes.message.reloadToken == nil ? .passing : .passed
        case .given: break
        }
        switch rows {
        case .list: more = changes.message.more
        case .past: items.removePast()
        }
        while let change = changes.next() {
            switch change {
            case .clear:
                guard case .list = rows else { continue }
                items.removeAll()
                hasChecked = false
            case .put(let id, let rank, let title):
                // The phone wrote this message before it had the check-off of this item.
                if outbox.holdsCheckOff(of: ItemID(id), above: changes.message.applied) { continue }
                items.take(ListItem(id: ItemID(id), rank: rank, title: title), into: rows)
                guard case .list = rows else { continue }
                // The phone already has the check-off of the held row, and the item was opened again on the phone since.
                if held == ItemID(id), changes.message.applied >= outbox.acknowledgedSequence,
                    let row = items.row(of: ItemID(id))
                {
                    items.putBack(row: row)
                }
            case .remove(let id):
                // A held row whose check-off the phone already has goes when its 250 ms are over. Any other row goes now, even if
                // a handler has checked it off and never removes it.
                guard case .list = rows, let row = items.row(of: ItemID(id)) else { continue }
                if held == ItemID(id), !items.isOpen(row: row) { continue }
                items.remove(row: row)
            }
        }
        switch rows {
        case .list: return .list
        case .past: return .past
        }
    }

    private mutating func applyTimeline(_ reader: CBORReader) throws(CBORError) -> DataEffect {
        var entries = try ComplicationMessageReader(reader)
        timeline.removeAll()
        while let entry = entries.next() { timeline.extend(with: entry) }
        return .complication
    }
}

// MARK: Records

extension WatchData {
    mutating func readIdentity(_ reader: inout CBORReader) throws(CBORError) {
        let number: UInt64 = try reader.unsigned()
        guard number != 0 else { throw .malformed }
        identity = number
        let own: UInt64 = try reader.unsigned()
        phones = PhoneLineage(own: own == 0 ? nil : own)
        let former: UInt64 = try reader.unsigned()
        phones.former = former == 0 ? nil : former
        phones.formerEnd.sequence = try reader.word()
        phones.resumed.sequence = try reader.word()
        phones.formerEnd.origin = try reader.wordUnlessZero()
        phones.resumed.origin = try reader.wordUnlessZero()
    }

    mutating func readPositions(_ reader: inout CBORReader) throws(CBORError) {
        let acknowledged = try reader.word()
        positions.peerEpoch = try reader.wordUnlessZero()
        positions.queuedApplied = try reader.word()
        positions.latestApplied = try reader.word()
        more = try reader.word()
        lastCheckOff = try reader.wordUnlessZero().map(LocalTime.init)
        positions.queuedExpected = try reader.word()
        losses = UnreadLosses(bits: try reader.word())
        // The watch has already reported these stray messages at an earlier start.
        if losses.contains(.ofRecords) { strays = StrayMessages() }
        let origin = try reader.wordUnlessZero()
        positions.valueNames = try reader.word()
        hasChecked = try reader.word() != 0
        outbox.restore(OutboxEnd(sequence: acknowledged, origin: origin))
    }

    @inline(never)
    mutating func readItem(_ reader: inout CBORReader, into rows: ItemList.Rows) throws(CBORError) {
        let id = ItemID(try reader.word())
        let rank = try reader.word()
        let completeness: ItemTitle.Completeness = try reader.word() == 0 ? .whole : .cut
        let title = ItemTitle(utf8: try reader.text(), completeness: completeness)
        items.take(ListItem(id: id, rank: rank, title: title), into: rows)
    }

    func readOrigin(_ reader: inout CBORReader) throws(CBORError) -> UInt32 {
        let origin = try reader.word()
        guard origin != 0 else { throw .malformed }
        return origin
    }

    mutating func readCheckOff(_ reader: inout CBORReader) throws(CBORError) {
        let origin = try readOrigin(&reader)
        let sequence = try reader.word()
        let id = ItemID(try reader.word())
        let time = try reader.wordUnlessZero().map(LocalTime.init)
        outbox.restore(.checkOff(id, at: time), sequence: sequence, origin: origin)
        if let row = items.row(of: id) { items.remove(row: row) }
        hasChecked = true
        endTripIfDone(at: time)
    }

    mutating func readAddition(_ reader: inout CBORReader) throws(CBORError) {
        let origin = try readOrigin(&reader)
        let sequence = try reader.word()
        let id = ItemID(try reader.word())
        let time = try reader.wordUnlessZero().map(LocalTime.init)
        outbox.restore(.addition(id, at: time), sequence: sequence, origin: origin)
        _ = addPast(id)
    }

    @inline(never)
    mutating func readMessage(_ name: FeedName, _ payload: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(payload)
        let sequence = try reader.word()
        // The phone had acknowledged these messages before it sent this one, so their check-offs no longer keep items off the
        // list.
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

    @inline(never)
    mutating func readListName(_ reader: inout CBORReader) throws(CBORError) {
        let text = try reader.text()
        let bytes = ItemTitle(utf8: text)
        title = try reader.word() == 0 ? bytes : ItemTitle(utf8: bytes.utf8, completeness: .cut)
    }

    @inline(never)
    mutating func readTimelineEntry(_ reader: inout CBORReader) throws(CBORError) {
        if try reader.word() == 0 { timeline.removeAll() }
        timeline.extend(with: try ComplicationEntry(from: &reader))
    }

    mutating func readReloadRequest(_ reader: inout CBORReader) throws(CBORError) {
        let origin = try readOrigin(&reader)
        let sequence = try reader.word()
        outbox.restore(.reload(token: try reader.word()), sequence: sequence, origin: origin)
    }

    /// A checksum of the rows and of `more`. See PROTOCOL.md, section "The rows check".
    var rowsCheck: UInt32 {
        var check = CRC32()
        check.update(bigEndian: more)
        return items.check ^ check.checksum
    }

    /// The fields: ID, rank, whether the title was cut, title.
    @inline(never)
    func write(_ item: ListItem, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(item.id.rawValue)
        try writer.unsigned(item.rank)
        try writer.unsigned(UInt32(item.title.completeness.rawValue))
        try writer.text(item.title.utf8)
    }

    /// The record begins with origin and sequence. In a check-off or an addition, ID and time follow. In a reload request, the
    /// token follows. For a handler's message, see `writeOutgoing`.
    func write(
        _ message: OutboxMessage, sequence: UInt32, origin: UInt32, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.unsigned(origin)
        try writer.unsigned(sequence)
        switch message {
        case .checkOff(let id, let time), .addition(let id, let time):
            try writer.unsigned(id.rawValue)
            try writer.unsigned(time?.seconds ?? 0)
        case .reload(let token):
            try writer.unsigned(token)
        case .handler(let cell):
            try writeOutgoing(cell: Int(cell), &writer)
        }
    }

    var streamPositions: StreamPositions {
        var stream = StreamPositions()
        stream.queuedIssued = outbox.newestSequence
        stream.queuedAcknowledged = outbox.acknowledgedSequence
        stream.latestIssued = messages.newestRevision
        stream.peerEpoch = positions.peerEpoch
        stream.queuedApplied = positions.queuedApplied
        stream.latestApplied = positions.latestApplied
        return stream
    }

    /// Sets `positions` from `stream`. Call this when the phone has connected. The parameter `queuedIssued` is the number of
    /// the phone's newest queued message. Returns whether `positions` has changed.
    mutating func resume(_ stream: StreamPositions, queuedIssued: UInt32) -> Bool {
        let before = positions
        positions.peerEpoch = stream.peerEpoch
        positions.queuedApplied = stream.queuedApplied
        positions.latestApplied = stream.latestApplied
        positions.queuedExpected = queuedIssued
        return positions != before
    }
}
