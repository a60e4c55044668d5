import WatchLink

enum DataRecord: BitwiseCopyable {
    case identity
    /// The watch has changed to another phone, and forgets all data of the previous one.
    case phoneChange
    case positions
    case message(OutboxMessage, sequence: UInt32)
    case received(FeedName, sequence: UInt32, FixedArray<UInt8>)
    /// A latest value with a name that the handler declared. `revision` is 0 if the phone did not send the value.
    case value(slot: Int, revision: UInt32, FixedArray<UInt8>)
    case arrival(slot: Int, sequence: UInt32, FixedArray<UInt8>)
    case taken(sequence: UInt32)
    /// The order of up to 64 rows, beginning with this row. Only the slow handler writes it, to take time; the watch never reads
    /// it.
    case order(from: Int)
    /// An item that leaves the sort order. The watch never reads this record.
    case orderChange(ItemID)
    case settings

    var kind: DataRecordKind {
        switch self {
        case .identity: .identity
        case .positions: .positions
        case .message(.checkOff, _): .checkOff
        case .message(.reload, _): .reloadRequest
        case .message(.handler, _): .handlerMessage
        case .message(.addition, _): .addition
        case .phoneChange: .phoneChange
        case .received(let name, _, _): name.recordKind
        case .value: .handlerValue
        case .arrival: .arrival
        case .taken: .taken
        case .order, .orderChange: .sortingOrder
        case .settings: .settings
        }
    }
}

extension WatchData {
    /// Writes a record's payload, at most `WatchLimits.largestSDU` bytes.
    func write(_ record: DataRecord, _ writer: inout CBORWriter) throws(CBORError) {
        switch record {
        case .identity, .phoneChange: try writeIdentity(&writer)
        case .positions: try writePositions(&writer)
        case .message(let message, let sequence):
            try write(message, sequence: sequence, origin: epoch, &writer)
        case .received(let name, let sequence, let payload):
            let kept =
                switch name.delivery {
                case .queued: sequence
                case .latest: messages.kept(of: sequence)
                }
            try writeHead(sequence: kept, &writer)
            try writer.raw(payload.span)
        case .value(let slot, let revision, let payload):
            try writeValue(slot, revision: revision, payload.span, &writer)
        case .arrival(let slot, let sequence, let payload):
            try writeArrival(slot, sequence: sequence, payload.span, &writer)
        case .taken(let sequence): try writer.unsigned(sequence)
        case .order(let first): try writeOrder(from: first, &writer)
        case .orderChange(let item): try writer.unsigned(item.rawValue)
        case .settings: try settings.encode(into: &writer)
        }
    }

    func endOfOrder(from first: Int) -> Int { min(first + 64, items.count) }

    private func writeOrder(from first: Int, _ writer: inout CBORWriter) throws(CBORError) {
        var row = first
        while row < endOfOrder(from: first) {
            try writer.unsigned(items[row].id.rawValue)
            row += 1
        }
    }
}

/// The kinds of records in flash and their numbers there. The numbers 2, 7 and 9 are free.
enum DataRecordKind: UInt8, BitwiseCopyable {
    /// A batch of changes to the list (put, remove, clear), as the phone sent it.
    case listChanges = 1
    case positions = 3
    /// The watch's identity, the epoch (a random number of each start) in which the identity was drawn, and the phones that the
    /// watch has belonged to.
    case identity = 4
    /// The list's name and the time of the last trip.
    case title = 5
    /// The complication's time line, or a part of it.
    case timeLine = 6
    /// An item of the list. Only a snapshot, which writes the whole state, has these records.
    case item = 8
    /// The order of the rows, which the slow handler writes and the watch never reads.
    case sortingOrder = 10
    /// An entry of the time line. Only a snapshot has these records.
    case timelineEntry = 11
    case listName = 12
    /// A check-off, with the epoch and the number of its message to the phone.
    case checkOff = 13
    /// A request for the whole list, with the epoch and the number of its message to the phone.
    case reloadRequest = 14
    case phoneChange = 15
    case handlerValue = 16
    case handlerMessage = 17
    case arrival = 18
    /// A message that waits for the handler. Only a snapshot has these records.
    case waitingArrival = 19
    case taken = 20
    case settings = 21
    case pastItems = 22
    case pastItem = 23
    /// A past item that the wearer has added again, with the epoch and the number of its message to the phone.
    case addition = 24
}

extension RecordKind {
    init(_ kind: DataRecordKind) { rawValue = kind.rawValue }
}

// Each record is a short CBOR sequence. The comment of each function lists the fields. Nil is written as 0.
extension WatchData {
    /// Writes these fields: identity, epoch, phone, former phone, the number of `PhoneLineage.formerEnd`, the number of
    /// `PhoneLineage.resumed`, and the epochs of these two messages.
    func writeIdentity(_ writer: inout CBORWriter) throws(CBORError) {
        switch identity {
        case .unknown:
            return
        case .known(let identity, let epoch):
            try writer.unsigned(identity)
            try writer.unsigned(epoch)
            try writer.unsigned(phones.own ?? 0)
            try writer.unsigned(phones.former ?? 0)
            try writer.unsigned(phones.formerEnd.sequence)
            try writer.unsigned(phones.resumed.sequence)
            try writer.unsigned(phones.formerEnd.origin ?? 0)
            try writer.unsigned(phones.resumed.origin ?? 0)
        }
    }

    /// Writes these fields: acknowledged, peer epoch, queued applied, latest applied, more, last trip, queued expected, unread
    /// losses, epoch of the acknowledged message, checksum of the value names, whether items were checked off.
    func writePositions(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try writer.unsigned(positions.peerEpoch ?? 0)
        try writer.unsigned(positions.queuedApplied)
        try writer.unsigned(messages.kept(of: positions.latestApplied))
        try writer.unsigned(more)
        try writer.unsigned(lastTrip?.seconds ?? 0)
        try writer.unsigned(positions.queuedExpected)
        try writer.unsigned(UInt32(losses.bits))
        try writer.unsigned(outbox.acknowledgedOrigin ?? 0)
        try writer.unsigned(messages.valueNames)
        try writer.unsigned(hasChecked ? 1 as UInt32 : 0)
    }

    /// Writes the head of a message from the phone: its number, and the number of the watch's last message that the phone has
    /// acknowledged. The payload follows.
    func writeHead(sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(sequence)
        try writer.unsigned(outbox.acknowledgedSequence)
    }

    /// Writes these fields: name, whether the name was cut.
    @inline(never)
    func writeListName(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.text(title.utf8)
        try writer.unsigned(UInt32(title.completeness.rawValue))
    }

    /// Writes the index of an entry of the time line, and the entry.
    @inline(never)
    func writeTimelineEntry(_ index: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(truncatingIfNeeded: index))
        try timeline[index].encode(into: &writer)
    }
}

enum StoredIdentity: Equatable, BitwiseCopyable {
    /// The watch is new, or its flash was erased.
    case unknown
    /// The watch's identity, and the epoch (a random number of each start) in which the identity was drawn.
    case known(identity: UInt64, epoch: UInt32)
}

enum PhoneRelation: BitwiseCopyable {
    case first
    case own
    case other
}

/// The phone that the watch belongs to, and the phone before that.
///
/// If the watch returns to the former phone, it tells that phone which message the phone had last acknowledged. The phone then
/// notices if its database has lost messages.
struct PhoneLineage: Equatable, BitwiseCopyable {
    /// The phone whose list this is; nil before the first link.
    var own: UInt64?
    var former: UInt64?
    /// The watch's last message that the former phone has acknowledged.
    var formerEnd = OutboxEnd.none
    /// If the watch has returned to its former phone: the watch's last message that this phone had acknowledged before the watch
    /// left it. Otherwise `.none`.
    var resumed = OutboxEnd.none

    mutating func moveOn(to identity: UInt64, after end: OutboxEnd) {
        resumed = former == identity ? formerEnd : .none
        (former, formerEnd) = (own, end)
        own = identity
    }
}

extension WatchData {
    func relation(to identity: UInt64) -> PhoneRelation {
        guard let own = phones.own else { return .first }
        return own == identity ? .own : .other
    }
}
