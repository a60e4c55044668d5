import WatchLink

// Messages under the names of a handler's own, in the outbox and in flash. A record of a name that the handler has not declared
// is of a version with another handler: a value is dropped, and a queued message that still waited is lost, which the wearer is told.
extension WatchData {
    /// Records that a message from the phone is done.
    mutating func noteApplied(_ header: MessageHeader) {
        switch header.delivery {
        case .queued: positions.queuedApplied = header.sequence
        case .latest: positions.latestApplied = header.sequence
        }
    }

    /// Has the phone send its values again where another handler read others before: what that had no name for was done, and is
    /// not kept.
    mutating func noticeOtherNames() {
        guard positions.valueNames != messages.valueNames else { return }
        positions.latestApplied = 0
        positions.valueNames = messages.valueNames
    }

    /// The cell for another message to the phone, nil where they all wait.
    var freeOutgoingCell: Int? {
        for cell in messages.outgoing.indices where !isWaiting(cell) { return cell }
        return nil
    }

    private func isWaiting(_ cell: Int) -> Bool {
        switch messages.outgoing[cell].state {
        case .free, .arrived: false
        // The handler is told before the cell is used again.
        case .settled: true
        case .outgoing(let sequence):
            outbox.message(sequence)?.message == .handler(cell: UInt8(truncatingIfNeeded: cell))
        }
    }

    /// use, revision of a value that has just come from the phone (0 for another), name, then the value itself, if there is one
    @inline(never)
    func writeValue(
        _ slot: Int, revision: UInt32, _ payload: Span<UInt8>, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writer.unsigned(UInt32(messages.slots[slot].use.rawValue))
        try writer.unsigned(revision)
        try writer.text(messages.slots[slot].name)
        try writer.raw(payload)
    }

    @inline(never)
    mutating func readValue(_ record: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(record)
        let use = MessageUse(rawValue: UInt8(truncatingIfNeeded: try reader.word()))
        let revision = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        if use == .valueFromPhone { positions.latestApplied = max(positions.latestApplied, revision) }
        guard let use, let slot = messages.index(of: name, use), payload.count <= messages.slots[slot].capacity else {
            return
        }
        let content: SlotContent = payload.isEmpty ? .cleared : .value
        switch use {
        case .valueFromPhone: messages.receive(content, payload, revision: 0, in: slot)
        case .valueToPhone: messages.issue(content, payload, in: slot)
        case .queueToPhone, .queueFromPhone, .questionToPhone, .questionFromPhone: throw .malformed
        }
    }

    /// The part of the record behind origin and sequence: acknowledged up to, name, then the value itself
    @inline(never)
    func writeOutgoing(cell: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try writer.text(messages.slots[Int(messages.outgoing[cell].slot)].name)
        try writer.raw(messages.outgoingBytes(cell).span)
    }

    @inline(never)
    mutating func readOutgoing(_ record: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(record)
        let origin = try readOrigin(&reader)
        let sequence = try reader.word()
        let acknowledged = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        // The message took the cell of one that was acknowledged.
        while outbox.popAcknowledged(upTo: acknowledged) != nil {}
        guard sequence > outbox.acknowledgedSequence else { return }
        guard let slot = messages.index(of: name, .queueToPhone), payload.count <= messages.slots[slot].capacity,
            let cell = outgoingCell(of: sequence) ?? freeOutgoingCell
        else {
            outbox.extend(to: sequence)
            strays.newestOutgoing = max(strays.newestOutgoing, sequence)
            return
        }
        messages.fillOutgoing(cell, slot: slot, payload, sequence: sequence)
        outbox.restore(.handler(cell: UInt8(truncatingIfNeeded: cell)), sequence: sequence, origin: origin)
    }

    /// The cell of a message that has been read back before.
    private func outgoingCell(of sequence: UInt32) -> Int? {
        for cell in messages.outgoing.indices where isWaiting(cell) {
            if case .outgoing(sequence: sequence) = messages.outgoing[cell].state { return cell }
        }
        return nil
    }

    /// sequence, acknowledged up to, name, then the value itself
    @inline(never)
    func writeArrival(
        _ slot: Int, sequence: UInt32, _ payload: Span<UInt8>, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writeHead(sequence: sequence, &writer)
        try writer.text(messages.slots[slot].name)
        try writer.raw(payload)
    }

    @inline(never)
    mutating func readArrival(_ record: Span<UInt8>, _ kind: RecordKind) throws(CBORError) {
        var reader = CBORReader(record)
        let sequence = try reader.word()
        let acknowledged = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        if kind == .arrival {
            // A record whose check failed when it was written may be there twice, and the handler may have taken it since.
            guard sequence != positions.queuedApplied else { return }
            while outbox.popAcknowledged(upTo: acknowledged) != nil {}
            positions.queuedApplied = sequence
        }
        guard let slot = messages.index(of: name, .queueFromPhone), payload.count <= messages.slots[slot].capacity,
            messages.arrive(slot: slot, payload, sequence: sequence)
        else {
            strays.arrived &+= 1
            return
        }
    }

    mutating func readTaken(_ reader: inout CBORReader) throws(CBORError) {
        if !messages.remove(arrived: try reader.word()), strays.arrived > 0 { strays.arrived &-= 1 }
    }

    /// Whether a queued message is lost because this handler has no name for it.
    var hasStrays: Bool { strays.arrived > 0 || strays.newestOutgoing > outbox.acknowledgedSequence }

    /// Writes the record of the next value, or of the next message that waits for the handler, from `element` on: first the
    /// slots, then the orders of arrival. Returns nil at the end.
    @inline(never)
    func writeNextMessage(element: inout Int, _ writer: inout CBORWriter) throws(CBORError) -> RecordKind? {
        while element < messages.slots.count {
            switch messages.slots[element].state {
            case .received, .issued:
                try writeValue(element, revision: 0, messages.slotBytes(element).span, &writer)
                return .handlerValue
            case .empty, .unsent, .open, .closed, .asked, .answered: element += 1
            }
        }
        let last = UInt32(truncatingIfNeeded: element - messages.slots.count)
        guard let cell = messages.nextArrived(after: last),
            case .arrived(let sequence, let order) = messages.incoming[cell].state
        else { return nil }
        element = messages.slots.count + Int(truncatingIfNeeded: order) - 1
        let slot = Int(messages.incoming[cell].slot)
        try writeArrival(slot, sequence: sequence, messages.incomingBytes(cell).span, &writer)
        return .waitingArrival
    }
}

extension RecordKind {
    /// A latest value under a name of the handler's own.
    static var handlerValue: RecordKind { RecordKind(rawValue: 16) }
    /// A queued message to the phone under a name of the handler's own.
    static var handlerMessage: RecordKind { RecordKind(rawValue: 17) }
    /// A queued message of the phone's under a name of the handler's own.
    static var arrival: RecordKind { RecordKind(rawValue: 18) }
    /// The same, written by a snapshot while it waits for the handler.
    static var waitingArrival: RecordKind { RecordKind(rawValue: 19) }
    /// The handler has taken such a message.
    static var taken: RecordKind { RecordKind(rawValue: 20) }
}

/// The part of the screen that a change of the data affects.
enum DataEffect: BitwiseCopyable {
    /// Rows and the remaining count.
    case list
    /// The list's name.
    case title
    /// The complication alone.
    case complication
    /// The sheet with past items.
    case past
    /// Nothing: these rows are beyond the watch, and more of them will follow.
    case passing
    /// Nothing: these rows are beyond the watch, and are the last.
    case passed
}

/// Queued messages of a handler that this watch had before, found while the journal is read.
struct StrayMessages: BitwiseCopyable {
    /// The sequence of the newest one to the phone, 0 for none. It is lost unless the phone has acknowledged it.
    var newestOutgoing: UInt32 = 0
    /// How many from the phone the handler before had not taken.
    var arrived: UInt32 = 0
}

/// What was lost, and the wearer has not read yet.
///
/// It is kept in flash, because nobody finds it again: the phone says its loss until it is answered, and the next change of
/// banks leaves the damaged records behind.
struct UnreadLosses: Equatable, BitwiseCopyable {
    enum Loss: UInt8, BitwiseCopyable {
        /// The phone has lost check-offs that it had acknowledged.
        case ofPhone = 1
        /// Records were found damaged at a start.
        case ofRecords = 2
    }

    /// The losses, a bit for each.
    private(set) var bits: UInt8 = 0

    func contains(_ loss: Loss) -> Bool { bits & loss.rawValue != 0 }

    mutating func insert(_ loss: Loss) { bits |= loss.rawValue }

    /// The notice of the one that is told first.
    var notice: WatchNotice {
        if contains(.ofRecords) { return .recordsLost }
        return contains(.ofPhone) ? .phoneRestored : .none
    }

    /// The wearer has read a notice.
    mutating func noteRead(_ notice: WatchNotice) {
        switch notice {
        case .recordsLost: bits &= ~Loss.ofRecords.rawValue
        case .phoneRestored: bits &= ~Loss.ofPhone.rawValue
        case .none, .notStored, .flashFailing, .otherPhone, .replaced: break
        }
    }
}

extension UnreadLosses {
    /// The losses that a record has.
    init(bits: UInt32) {
        self.bits = UInt8(truncatingIfNeeded: bits)
    }
}

/// The messages that the watch accepts.
enum FeedName: UInt8, Sendable, BitwiseCopyable {
    case list
    case title
    case complication
    case past

    /// The message with this name, nil for one that the watch does not accept.
    init?(_ utf8: Span<UInt8>) {
        switch ApplicationMessage(name: utf8) {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        case .past: self = .past
        case .check, .reload, .add, nil: return nil
        }
    }

    /// The message that records of this kind store, nil for other kinds.
    init?(_ kind: RecordKind) {
        var number: UInt8 = 0
        while let name = FeedName(rawValue: number) {
            if name.recordKind == kind {
                self = name
                return
            }
            number &+= 1
        }
        return nil
    }

    var delivery: LinkDelivery {
        switch self {
        case .list: ListMessage.delivery
        case .title: TitleMessage.delivery
        case .complication: ComplicationMessage.delivery
        case .past: ApplicationMessage.past.delivery
        }
    }

    /// The kind of the records that store the message.
    var recordKind: RecordKind {
        switch self {
        case .list: .listChanges
        case .title: .title
        case .complication: .timeLine
        case .past: .pastItems
        }
    }
}
