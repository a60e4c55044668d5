import WatchLink

enum DataRecord: BitwiseCopyable {
    case identity
    /// The watch has changed to another phone. The fields are those of `identity`. When the watch reads this record, it also
    /// forgets the data of the previous phone.
    case phoneChange
    case positions
    case message(OutboxMessage, sequence: UInt32)
    case received(FeedName, sequence: UInt32, FixedArray<UInt8>)
    /// The value in a slot of `HandlerMessages`. A cleared value has no bytes. The revision is the phone's number for the
    /// value, or 0 if the watch issued the value.
    case value(slot: Int, revision: UInt32, FixedArray<UInt8>)
    case arrival(slot: Int, sequence: UInt32, FixedArray<UInt8>)
    case taken(sequence: UInt32)
    /// The IDs of up to 64 items in the order of their rows, beginning with this row. Only slow handlers such as `legacy`
    /// write this record, and the watch never reads it.
    case order(from: Int)
    /// A change of the order: this item was checked off. A handler may write this shorter record instead of `order`. The
    /// watch never reads it.
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
    /// Writes the fields of a record, at most `WatchLimits.largestSDU` bytes.
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
                case .latest: messages.storedRevision(upTo: sequence)
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

/// The kind of a record. The raw value is its number in flash. The numbers 2, 7 and 9 are unused.
enum DataRecordKind: UInt8, BitwiseCopyable {
    /// Changes of the list, as the phone sent them.
    case listChanges = 1
    case positions = 3
    /// The watch's identity, and the phones that the watch belongs to now and belonged to before (`PhoneLineage`).
    case identity = 4
    case title = 5
    case timeLine = 6
    /// Records of this kind occur only in a snapshot of all data. The same is true of `timelineEntry`, `listName`,
    /// `waitingArrival` and `pastItem`.
    case item = 8
    /// The records `order` and `orderChange`. The watch never reads them.
    case sortingOrder = 10
    case timelineEntry = 11
    case listName = 12
    /// Like `reloadRequest`, `handlerMessage` and `addition`, this is a message to the phone. The record begins with the
    /// message's epoch and number.
    case checkOff = 13
    case reloadRequest = 14
    case phoneChange = 15
    case handlerValue = 16
    case handlerMessage = 17
    case arrival = 18
    case waitingArrival = 19
    case taken = 20
    case settings = 21
    case pastItems = 22
    case pastItem = 23
    case addition = 24
}

extension RecordKind {
    init(_ kind: DataRecordKind) { rawValue = kind.rawValue }
}

// Each record is a short CBOR sequence. The comment of each function lists the fields; nil is written as 0.
extension WatchData {
    /// The fields, by property: `identity`, `phones.own`, `phones.former`, `phones.formerEnd.sequence`,
    /// `phones.resumed.sequence`, `phones.formerEnd.origin`, `phones.resumed.origin`.
    func writeIdentity(_ writer: inout CBORWriter) throws(CBORError) {
        guard let identity else { return }
        try writer.unsigned(identity)
        try writer.unsigned(phones.own ?? 0)
        try writer.unsigned(phones.former ?? 0)
        try writer.unsigned(phones.formerEnd.sequence)
        try writer.unsigned(phones.resumed.sequence)
        try writer.unsigned(phones.formerEnd.origin ?? 0)
        try writer.unsigned(phones.resumed.origin ?? 0)
    }

    /// The fields, by property: `acknowledgedSequence`, `peerEpoch`, `queuedApplied`, `latestApplied`, `more`,
    /// `lastCheckOff`, `queuedExpected`, `losses`, `acknowledgedOrigin`, `valueNames`, `hasChecked`. If a value from the
    /// phone is not yet in flash, `latestApplied` is lowered to the revision before that value.
    func writePositions(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try writer.unsigned(positions.peerEpoch ?? 0)
        try writer.unsigned(positions.queuedApplied)
        try writer.unsigned(messages.storedRevision(upTo: positions.latestApplied))
        try writer.unsigned(more)
        try writer.unsigned(lastCheckOff?.seconds ?? 0)
        try writer.unsigned(positions.queuedExpected)
        try writer.unsigned(UInt32(losses.bits))
        try writer.unsigned(outbox.acknowledgedOrigin ?? 0)
        try writer.unsigned(messages.valueNames)
        try writer.unsigned(hasChecked ? 1 as UInt32 : 0)
    }

    /// The fields before the payload of a message from the phone: the sequence or revision of that message, and the sequence
    /// of the watch's last message that the phone has acknowledged.
    func writeHead(sequence: UInt32, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(sequence)
        try writer.unsigned(outbox.acknowledgedSequence)
    }

    /// The fields: name, whether the name was cut.
    @inline(never)
    func writeListName(_ writer: inout CBORWriter) throws(CBORError) {
        try writer.text(title.utf8)
        try writer.unsigned(UInt32(title.completeness.rawValue))
    }

    @inline(never)
    func writeTimelineEntry(_ index: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(UInt32(truncatingIfNeeded: index))
        try timeline[index].encode(into: &writer)
    }
}

/// The phone that the watch belongs to, and the former phone. If the watch returns to the former phone, the watch names the
/// last message that this phone acknowledged. From this, the phone can tell whether its database has lost messages.
struct PhoneLineage: Equatable, BitwiseCopyable {
    /// The identity of the phone that the watch belongs to. Nil before the first link.
    var own: UInt64?
    var former: UInt64?
    /// The watch's last message that the former phone has acknowledged.
    var formerEnd = OutboxEnd.none
    /// If the watch has returned to its former phone, the value that `formerEnd` had before the return. Otherwise `.none`.
    var resumed = OutboxEnd.none

    mutating func moveOn(to identity: UInt64, after end: OutboxEnd) {
        resumed = former == identity ? formerEnd : .none
        (former, formerEnd) = (own, end)
        own = identity
    }
}
