import WatchLink

/// The messages that a handler declares by name, and the memory for them. If the handler declares no names, no memory is
/// reserved.
struct HandlerMessages: ~Copyable {
    let slots: FixedArray<MessageSlot>
    private let bytes: FixedArray<UInt8>
    /// The queued messages to the phone. The outbox refers to each by the index of its cell.
    let outgoing: FixedArray<MessageCell>
    let incoming: FixedArray<MessageCell>
    private let cellBytes: FixedArray<UInt8>
    private let cellSize: Int
    /// A checksum of the names and maximum sizes of the latest values that the phone sends; 0 if the handler declares none.
    /// If it differs from the stored checksum, the watch requests the values again.
    let valueNames: UInt32
    let kinds: LinkKinds
    /// The revision of the watch's newest value; 0 if there is none. Revisions begin with 1 again at each start of the
    /// watch.
    private(set) var newestRevision: UInt32 = 0
    private var arrivals: UInt32 = 0
    /// Replies that refuse a question. They wait for the radio, oldest first.
    private let refusals: FixedArray<ReplyHeader>
    private var refusalCount = 0
    /// When the phone's values must be written to flash; nil if all are in flash.
    var keepValuesAt: Instant?
    private let inPlace = InPlace()

    init(arena: inout MemoryArena, declare: (inout MessageNames) -> Void) {
        let need = MessageNames.need(of: declare)
        slots = arena.take(need.names, of: .unused)
        MessageNames.fill(slots, from: declare)
        bytes = arena.take(need.valueBytes, of: 0)
        outgoing = arena.take(need.outgoing, of: MessageCell())
        incoming = arena.take(need.incoming, of: MessageCell())
        cellBytes = arena.take((need.outgoing + need.incoming) * need.cellSize, of: 0)
        cellSize = need.cellSize
        kinds = need.questions > 0 ? .interactive : .none
        refusals = arena.take(need.refusals, of: ReplyHeader(number: 1, status: .noListener))
        valueNames = HandlerMessages.check(of: slots)
    }

    @inline(never)
    func index(of name: Span<UInt8>, _ use: MessageUse) -> Int? {
        for index in slots.indices where slots[index].use == use && name.matches(slots[index].name) { return index }
        return nil
    }

    func slotBytes(_ index: Int) -> FixedArray<UInt8> { bytes.slice(slots[index].range) }

    @inline(never)
    func encodeSlot(_ index: Int, into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(slots[index].name)
        try writer.raw(slotBytes(index).span)
    }

    /// Copies the bytes, which must fit, into the slot.
    func put(_ payload: Span<UInt8>, in index: Int) {
        slots[index].count = UInt16(truncatingIfNeeded: payload.count)
        let range = slots[index].range
        for offset in payload.indices { bytes[range.lowerBound + offset] = payload[offset] }
    }
}

// MARK: The names

extension HandlerMessages {
    private static func check(of slots: FixedArray<MessageSlot>) -> UInt32 {
        var check = CRC32()
        var values = 0
        for index in slots.indices where slots[index].use == .valueFromPhone {
            let name = slots[index].name.utf8
            for byte in name.indices { check.update(name[byte]) }
            check.update(word: UInt32(slots[index].capacity))
            values += 1
        }
        return values == 0 ? 0 : max(check.checksum, 1)
    }
}

// MARK: Latest values

extension HandlerMessages {
    /// Stores a value from the phone. A cleared value has no bytes.
    func receive(_ content: SlotContent, _ payload: Span<UInt8>, revision: UInt32, in index: Int) {
        put(payload, in: index)
        slots[index].state = .received(content, revision: revision, .unseen)
    }

    /// Stores a value of the watch, with the next revision. A cleared value has no bytes.
    mutating func issue(_ content: SlotContent, _ payload: Span<UInt8>, in index: Int) {
        put(payload, in: index)
        newestRevision &+= 1
        slots[index].state = .issued(content, revision: newestRevision)
    }

    /// Returns the slot of the watch's value with the lowest revision above `revision`; nil if there is none.
    func nextIssued(after revision: UInt32) -> Int? {
        var found: (index: Int, revision: UInt32)?
        for index in slots.indices {
            guard case .issued(_, let own) = slots[index].state, own > revision else { continue }
            if let best = found, best.revision < own { continue }
            found = (index, own)
        }
        return found?.index
    }

    /// The phone's value with the lowest revision among the values that are not in flash; nil if all are in flash. Values are
    /// written in order of revision. So a power failure loses only the newest values, and the phone sends them again.
    var firstUnkept: (index: Int, revision: UInt32)? {
        var first: (index: Int, revision: UInt32)?
        for index in slots.indices {
            guard case .received(_, let revision, _) = slots[index].state, revision > 0 else { continue }
            if let best = first, best.revision < revision { continue }
            first = (index, revision)
        }
        return first
    }

    /// Returns a revision of at most `applied`. All of the phone's values up to this revision are in flash. After a
    /// restart, the phone sends the later values again.
    func storedRevision(upTo applied: UInt32) -> UInt32 {
        guard let first = firstUnkept else { return applied }
        return min(applied, first.revision &- 1)
    }

    func noteKept(_ index: Int) {
        guard case .received(let content, _, let notice) = slots[index].state else { return }
        slots[index].state = .received(content, revision: 0, notice)
    }

    func forgetReceived() {
        for index in slots.indices {
            guard case .received = slots[index].state else { continue }
            slots[index].count = 0
            slots[index].state = .empty
        }
    }
}

// MARK: Queued messages

extension HandlerMessages {
    func outgoingBytes(_ cell: Int) -> FixedArray<UInt8> {
        cellBytes.slice(cell * cellSize..<cell * cellSize + Int(outgoing[cell].count))
    }

    @inline(never)
    func encodeOutgoing(_ cell: Int, into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(slots[Int(outgoing[cell].slot)].name)
        try writer.raw(outgoingBytes(cell).span)
    }

    func incomingBytes(_ cell: Int) -> FixedArray<UInt8> {
        let start = (outgoing.count + cell) * cellSize
        return cellBytes.slice(start..<start + Int(incoming[cell].count))
    }

    /// Fills a cell with a queued message, which must fit.
    func fillOutgoing(_ cell: Int, slot: Int, _ payload: Span<UInt8>, sequence: UInt32) {
        outgoing[cell].slot = UInt8(truncatingIfNeeded: slot)
        outgoing[cell].count = UInt8(truncatingIfNeeded: payload.count)
        outgoing[cell].state = .outgoing(sequence: sequence)
        copy(payload, to: cell * cellSize)
    }

    /// Stores the outcome of each queued message that the phone has just acknowledged. The numbers of these messages are
    /// above `before`. `tellSettled` later returns each outcome as an event. If `knowsRejections` is false, the report of
    /// rejected messages was lost with the previous link, and each outcome is `.unknown`.
    @inline(never)
    func settle(above before: UInt32, _ acknowledgement: borrowing Acknowledgement, knowsRejections: Bool) {
        for cell in outgoing.indices {
            guard case .outgoing(let sequence) = outgoing[cell].state, sequence > before,
                sequence <= acknowledgement.queued
            else { continue }
            let outcome: PassedOutcome =
                knowsRejections
                ? acknowledgement.rejected.reason(of: sequence).map { .rejected($0) } ?? .applied : .unknown
            outgoing[cell].state = .settled(sequence: sequence, outcome)
        }
    }

    /// Returns the event `.passed` of a message whose outcome the handler does not know yet, and frees the message's cell.
    /// Nil if there is no such message.
    func tellSettled() -> HandlerMessage? {
        for cell in outgoing.indices {
            guard case .settled(let sequence, let outcome) = outgoing[cell].state else { continue }
            outgoing[cell].state = .free
            return HandlerMessage(
                name: slots[Int(outgoing[cell].slot)].name, event: .passed(number: sequence, outcome),
                bytes: outgoingBytes(cell))
        }
        return nil
    }

    /// Whether there is room for a queued message from the phone. Always true if the handler declares no such messages.
    var hasRoomForArrival: Bool { incoming.count == 0 || freeIncoming != nil }

    private var freeIncoming: Int? {
        for cell in incoming.indices {
            if case .free = incoming[cell].state { return cell }
        }
        return nil
    }

    /// Stores a queued message from the phone. Returns false if there is no room.
    mutating func arrive(slot: Int, _ payload: Span<UInt8>, sequence: UInt32) -> Bool {
        guard let cell = freeIncoming else { return false }
        arrivals &+= 1
        incoming[cell].slot = UInt8(truncatingIfNeeded: slot)
        incoming[cell].count = UInt8(truncatingIfNeeded: payload.count)
        incoming[cell].state = .arrived(sequence: sequence, order: arrivals)
        copy(payload, to: (outgoing.count + cell) * cellSize)
        return true
    }

    /// Returns the cell of the message with the lowest arrival number above `last`; nil if there is none. An arrival number
    /// is not a sequence. It counts arrivals from 1 since the watch's start.
    func nextArrived(after last: UInt32 = 0) -> Int? {
        var found: (cell: Int, order: UInt32)?
        for cell in incoming.indices {
            guard case .arrived(_, let order) = incoming[cell].state, order > last else { continue }
            if let best = found, best.order < order { continue }
            found = (cell, order)
        }
        return found?.cell
    }

    @discardableResult
    mutating func remove(arrived sequence: UInt32) -> Bool {
        var last: UInt32 = 0
        while let cell = nextArrived(after: last) {
            guard case .arrived(let number, let order) = incoming[cell].state else { return false }
            if number == sequence {
                incoming[cell].state = .free
                return true
            }
            last = order
        }
        return false
    }

    private func copy(_ payload: Span<UInt8>, to start: Int) {
        for offset in payload.indices { cellBytes[start + offset] = payload[offset] }
    }
}

// MARK: Exchanges

extension HandlerMessages {
    var nextRefusal: ReplyHeader? { refusalCount == 0 ? nil : refusals[0] }

    /// Queues a reply that refuses a question. Returns false if the phone has more questions open than the protocol allows.
    mutating func refuse(_ header: ReplyHeader) -> Bool {
        guard refusalCount < refusals.count else { return false }
        refusals[refusalCount] = header
        refusalCount += 1
        return true
    }

    mutating func dropRefusal() {
        refusals.move(from: 1, to: 0, count: refusalCount - 1)
        refusalCount -= 1
    }

    var owesFrame: Bool {
        refusalCount > 0 || owedFrame != nil
    }

    /// The slot whose question or answer must be sent next; nil if there is none. A question that already has a number goes
    /// first, because questions are sent in order of their numbers.
    var owedFrame: Int? {
        var found: Int?
        for index in slots.indices where slots[index].owesFrame {
            if case .unsent(_, number: .some) = slots[index].state { return index }
            found = found ?? index
        }
        return found
    }

    func index(ofQuestion number: UInt32) -> Int? {
        for index in slots.indices {
            if case .open(_, number: number) = slots[index].state { return index }
        }
        return nil
    }

    var deadline: Instant? {
        var first: Instant?
        for index in slots.indices {
            guard let until = slots[index].deadline else { continue }
            first = first.map { min($0, until) } ?? until
        }
        return first
    }

    /// Ends each question of the watch or of the phone whose time is up. A question of the phone gets the reply `.late`.
    func closeLate(at now: Instant) {
        for index in slots.indices {
            guard let until = slots[index].deadline, now >= until else { continue }
            if case .asked(let question, _) = slots[index].state {
                slots[index].count = 0
                slots[index].state = .answered(question, .late)
            } else {
                close(index, .late)
            }
        }
    }

    func close(_ index: Int, _ outcome: QuestionOutcome) {
        slots[index].count = 0
        slots[index].state = .closed(outcome)
    }

    mutating func loseExchanges() {
        refusalCount = 0
        for index in slots.indices {
            switch slots[index].state {
            case .unsent, .open: close(index, .outOfReach)
            case .asked, .answered: slots[index].state = .empty
            case .empty, .received, .issued, .closed: break
            }
        }
    }
}

// MARK: Events for the handler

extension HandlerMessages {
    var unseen: Int? {
        for index in slots.indices {
            switch slots[index].state {
            case .received(_, _, .unseen), .asked(_, .unseen), .closed: return index
            case .empty, .received(_, _, .seen), .issued, .unsent, .open, .asked(_, .seen), .answered: continue
            }
        }
        return nil
    }

    /// Returns a slot's new event for the handler, and marks the event as seen. Nil if the slot has no new event.
    func tell(_ index: Int) -> HandlerMessage? {
        let event: HandlerMessage.Event
        switch slots[index].state {
        case .received(let content, let revision, .unseen):
            event = content == .value ? .value : .cleared
            slots[index].state = .received(content, revision: revision, .seen)
        case .asked(let question, .unseen):
            event = .asked
            slots[index].state = .asked(question, .seen)
        case .closed(let outcome):
            event = .over(outcome)
            slots[index].state = .empty
        case .empty, .received(_, _, .seen), .issued, .unsent, .open, .asked(_, .seen), .answered: return nil
        }
        return HandlerMessage(name: slots[index].name, event: event, bytes: slotBytes(index))
    }
}
