import WatchLink

// A record whose name this handler did not declare comes from another handler. Its value is dropped. Its queued message is
// lost, and the watch tells the wearer.
extension WatchData {
    mutating func noteApplied(_ header: MessageHeader) {
        switch header.delivery {
        case .queued: positions.queuedApplied = header.sequence
        case .latest: positions.latestApplied = header.sequence
        }
    }

    /// A new handler may declare different names or sizes for the phone's values. If so, makes the phone send all its latest
    /// values (`LinkDelivery.latest`) again when it next connects.
    mutating func noticeOtherNames() {
        guard positions.valueNames != messages.valueNames else { return }
        positions.latestApplied = 0
        positions.valueNames = messages.valueNames
    }

    var freeOutgoingCell: Int? {
        for cell in messages.outgoing.indices where !isWaiting(cell) { return cell }
        return nil
    }

    private func isWaiting(_ cell: Int) -> Bool {
        switch messages.outgoing[cell].state {
        case .free, .arrived: false
        // The cell is free once the handler has been told of the message.
        case .settled: true
        case .outgoing(let sequence):
            outbox.message(sequence)?.message == .handler(cell: UInt8(truncatingIfNeeded: cell))
        }
    }

    /// The fields: `MessageUse` of the name, revision, name, value. The revision is 0 unless the value has just come from the
    /// phone. A cleared value is left out.
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

    /// The fields after origin and sequence: `outbox.acknowledgedSequence`, name, payload.
    @inline(never)
    func writeOutgoing(cell: Int, _ writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(outbox.acknowledgedSequence)
        try messages.encodeOutgoing(cell, into: &writer)
    }

    @inline(never)
    mutating func readOutgoing(_ record: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(record)
        let origin = try readOrigin(&reader)
        let sequence = try reader.word()
        let acknowledged = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        // Acknowledged messages give up their cells first, because this message may use one.
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

    private func outgoingCell(of sequence: UInt32) -> Int? {
        for cell in messages.outgoing.indices where isWaiting(cell) {
            if case .outgoing(sequence: sequence) = messages.outgoing[cell].state { return cell }
        }
        return nil
    }

    /// The fields: `sequence`, `outbox.acknowledgedSequence`, name, payload.
    @inline(never)
    func writeArrival(
        _ slot: Int, sequence: UInt32, _ payload: Span<UInt8>, _ writer: inout CBORWriter
    ) throws(CBORError) {
        try writeHead(sequence: sequence, &writer)
        try writer.text(messages.slots[slot].name)
        try writer.raw(payload)
    }

    @inline(never)
    mutating func readArrival(_ record: Span<UInt8>, _ kind: DataRecordKind) throws(CBORError) {
        var reader = CBORReader(record)
        let sequence = try reader.word()
        let acknowledged = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        if kind == .arrival {
            // The journal may hold the record twice, if its first write failed. The handler may have taken the message between
            // the two records.
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

    var hasStrays: Bool { strays.arrived > 0 || strays.newestOutgoing > outbox.acknowledgedSequence }

    /// Writes the next record, at index `element` or later. The values come first, in order of slot. Then come the messages
    /// that wait for the handler, in order of arrival. Returns nil at the end.
    @inline(never)
    func writeNextMessage(element: inout Int, _ writer: inout CBORWriter) throws(CBORError) -> DataRecordKind? {
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

enum DataEffect: BitwiseCopyable {
    case list
    case title
    case complication
    case past
    /// The changes concern rows beyond those that the watch stores, so the watch applied none of them. More such changes
    /// follow in another message.
    case passing
    /// The same as `passing`, but no other such message follows.
    case passed
}

/// Queued messages of another handler, found in flash at the start.
struct StrayMessages: BitwiseCopyable {
    /// The sequence of the newest message to the phone; 0 for none. The message is lost if the phone has not acknowledged it.
    var newestOutgoing: UInt32 = 0
    /// The number of messages from the phone that the other handler had not yet taken.
    var arrived: UInt32 = 0
}

/// Losses that the wearer has not yet read about. They are stored in flash, because the watch could not detect them again
/// after a restart.
struct UnreadLosses: Equatable, BitwiseCopyable {
    enum Loss: UInt8, BitwiseCopyable {
        /// The phone has lost messages that it had acknowledged.
        case ofPhone = 1
        case ofRecords = 2
    }

    private(set) var bits: UInt8 = 0

    func contains(_ loss: Loss) -> Bool { bits & loss.rawValue != 0 }

    mutating func insert(_ loss: Loss) { bits |= loss.rawValue }

    var notice: StatusNotice {
        if contains(.ofRecords) { return .recordsLost }
        return contains(.ofPhone) ? .phoneRestored : .none
    }

    mutating func noteRead(_ notice: StatusNotice) {
        switch notice {
        case .recordsLost: bits &= ~Loss.ofRecords.rawValue
        case .phoneRestored: bits &= ~Loss.ofPhone.rawValue
        case .none, .notStored, .flashFailing, .otherPhone, .replaced: break
        }
    }
}

extension UnreadLosses {
    init(bits: UInt32) {
        self.bits = UInt8(truncatingIfNeeded: bits)
    }
}

enum FeedName: UInt8, Sendable, BitwiseCopyable {
    case list
    case title
    case complication
    case past

    init?(_ utf8: Span<UInt8>) {
        switch ApplicationMessage(name: utf8) {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        case .past: self = .past
        case .check, .reload, .add, nil: return nil
        }
    }

    var delivery: LinkDelivery {
        switch self {
        case .list: ListMessage.delivery
        case .title: TitleMessage.delivery
        case .complication: ComplicationMessage.delivery
        case .past: ApplicationMessage.past.delivery
        }
    }

    var recordKind: DataRecordKind {
        switch self {
        case .list: .listChanges
        case .title: .title
        case .complication: .timeLine
        case .past: .pastItems
        }
    }
}
