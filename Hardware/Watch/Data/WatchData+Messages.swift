import WatchLink

// Messages under a handler's own names, in the outbox and in flash. A record with an undeclared name comes from another handler:
// a value is dropped. A queued message that still waited is lost, and the watch tells the wearer.
extension WatchData {
    mutating func noteApplied(_ header: MessageHeader) {
        switch header.delivery {
        case .queued: positions.queuedApplied = header.sequence
        case .latest: positions.latestApplied = header.sequence
        }
    }

    /// Makes the phone send its latest values again if the declared names have changed. Values of other names were not kept.
    mutating func noticeOtherNames() {
        guard positions.valueNames != messages.valueNames else { return }
        positions.latestApplied = 0
        positions.valueNames = messages.valueNames
    }

    /// Nil if all cells wait.
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

    /// use, revision of a value that has just come from the phone (else 0), name, then the value itself, if there is
    /// one
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
        // The new message took the cell of an acknowledged one.
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
    mutating func readArrival(_ record: Span<UInt8>, _ kind: DataRecordKind) throws(CBORError) {
        var reader = CBORReader(record)
        let sequence = try reader.word()
        let acknowledged = try reader.word()
        let name = try reader.text()
        let payload = record.extracting(reader.offset..<record.count)
        if kind == .arrival {
            // A record that failed its check when it was written may be there twice, and the handler may have taken it since.
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

    /// Writes the next value, or the next message that waits for the handler, from `element` on: first the slots, then
    /// the orders of arrival. Returns nil at the end.
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
    /// These rows are beyond the watch, and more of them will follow.
    case passing
    /// These rows are beyond the watch, and are the last.
    case passed
}

/// Queued messages of another handler, found while the journal is read.
struct StrayMessages: BitwiseCopyable {
    /// The sequence of the newest one to the phone, 0 for none. It is lost unless the phone has acknowledged it.
    var newestOutgoing: UInt32 = 0
    /// The number of messages from the phone that the other handler had not taken.
    var arrived: UInt32 = 0
}

/// Losses that the wearer has not read yet.
///
/// They are in flash, because the watch cannot find them again: the phone reports its loss only until it is answered, and the
/// next change of banks drops damaged records.
struct UnreadLosses: Equatable, BitwiseCopyable {
    enum Loss: UInt8, BitwiseCopyable {
        /// The phone has lost check-offs that it had acknowledged.
        case ofPhone = 1
        case ofRecords = 2
    }

    private(set) var bits: UInt8 = 0

    func contains(_ loss: Loss) -> Bool { bits & loss.rawValue != 0 }

    mutating func insert(_ loss: Loss) { bits |= loss.rawValue }

    /// The loss to show first.
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

    /// Nil for a message that the watch does not accept.
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
