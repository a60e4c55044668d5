import WatchLink

// Messages with a handler's own names (`MessageDeclaring.declare`). The handler and its stages call these functions.
extension WatchCore where B: ~Copyable {
    /// Sends a value to the phone under a declared name. If the name is declared as latest, the value replaces the name's
    /// previous value, and this returns nil. If the name is declared as queued, the value becomes a new message, and this
    /// returns the message's number. The event `.passed` has the same number.
    ///
    /// When this returns, the value is in flash. The watch sends it as soon as the phone is connected. A value that
    /// changes every second would wear out the flash chip: use `ask` or `tell` for it.
    @discardableResult
    public mutating func pass<Value: MessageValue>(
        _ value: Value, under name: StaticString
    ) throws(MessageError) -> UInt32? {
        if let slot = data.messages.index(of: name.utf8, .valueToPhone) {
            try issue(.value, encode(value, for: slot), in: slot)
            return nil
        }
        guard let slot = data.messages.index(of: name.utf8, .queueToPhone) else { throw .notDeclared }
        let payload = try encode(value, for: slot)
        guard let cell = data.freeOutgoingCell, let sequence = data.outbox.nextSequence else { throw .queueFull }
        data.messages.fillOutgoing(cell, slot: slot, payload.span, sequence: sequence)
        guard issue(.handler(cell: UInt8(truncatingIfNeeded: cell))) else { throw .notKept }
        return sequence
    }

    /// Clears the value of a name, on the watch and on the phone.
    public mutating func clear(_ name: StaticString) throws(MessageError) {
        guard let slot = data.messages.index(of: name.utf8, .valueToPhone) else { throw .notDeclared }
        try issue(.cleared, descriptionMemory.slice(0..<0), in: slot)
    }

    /// Returns the newest value of a name, which the phone or the watch itself has set. Nil if there is none, or if it
    /// is not a `Value`.
    public func value<Value: MessageValue>(_ type: Value.Type = Value.self, under name: StaticString) -> Value? {
        guard
            let slot = data.messages.index(of: name.utf8, .valueFromPhone)
                ?? data.messages.index(of: name.utf8, .valueToPhone)
        else { return nil }
        return data.messages.slotBytes(slot).decoded()
    }

    /// Asks the phone a question with a name that is declared as interactive. The question waits for at most `time`.
    /// When it ends, the handler gets the event `.over`. If the phone has answered, the event's value is the answer.
    ///
    /// Throws `.outOfReach` if no phone is connected or the phone takes no questions, and `.busy` if another question
    /// with this name is open.
    public mutating func ask<Value: MessageValue>(
        _ name: StaticString, _ value: Value, within time: Microseconds
    ) throws(MessageError) {
        try ask(name, value, wish: .value, within: time)
    }

    /// Sends the phone a message that needs no answer, with a name that is declared as interactive. The event `.over`
    /// says whether a program on the phone took the message within `time`. Throws the same errors as `ask`.
    public mutating func tell<Value: MessageValue>(
        _ name: StaticString, _ value: Value, within time: Microseconds
    ) throws(MessageError) {
        try ask(name, value, wish: .receipt, within: time)
    }

    /// Answers the phone's question with this name. The handler calls this in `take`, or later while the phone still
    /// waits. If the phone wants only a receipt, the watch does not send `value`. Throws `.notDeclared` if no question
    /// with this name waits for an answer.
    public mutating func answer<Value: MessageValue>(
        _ name: StaticString, _ value: Value
    ) throws(MessageError) {
        guard let slot = data.messages.index(of: name.utf8, .questionFromPhone),
            case .asked(let question, .seen) = data.messages.slots[slot].state
        else { throw .notDeclared }
        switch question.wish {
        case .value: data.messages.put(try encode(value, for: slot).span, in: slot)
        case .receipt: data.messages.slots[slot].count = 0
        }
        data.messages.slots[slot].state = .answered(question, .answered)
    }

    private mutating func ask<Value: MessageValue>(
        _ name: StaticString, _ value: Value, wish: InteractiveHeader.Wish, within time: Microseconds
    ) throws(MessageError) {
        guard let slot = data.messages.index(of: name.utf8, .questionToPhone) else { throw .notDeclared }
        let payload = try encode(value, for: slot)
        guard link.takesQuestions else { throw .outOfReach }
        switch data.messages.slots[slot].state {
        // If the previous question is closed, the handler has not yet been told how it ended.
        case .closed, .unsent, .open: throw .busy
        case .empty, .received, .issued, .asked, .answered: break
        }
        data.messages.put(payload.span, in: slot)
        data.messages.slots[slot].state = .unsent(OwnQuestion(wish: wish, until: board.now + time), number: nil)
    }

    /// Encodes a value for a slot. The result is valid until other code uses `descriptionMemory`.
    private func encode<Value: MessageValue>(
        _ value: Value, for slot: Int
    ) throws(MessageError) -> FixedArray<UInt8> {
        let limit = Int(data.messages.slots[slot].capacity)
        var memory = descriptionMemory.slice(0..<limit)
        var writer = CBORWriter(memory.mutableSpan)
        do throws(CBORError) {
            try value.encode(into: &writer)
        } catch {
            throw .tooLong(limit: limit)
        }
        return descriptionMemory.slice(0..<writer.count)
    }

    private mutating func issue(
        _ content: SlotContent, _ payload: FixedArray<UInt8>, in slot: Int
    ) throws(MessageError) {
        guard store.hasRoomForHandler(beside: data),
            store.keep(.value(slot: slot, revision: 0, payload), of: &data, on: &board)
        else { throw .notKept }
        data.messages.issue(content, payload.span, in: slot)
        link.session.issued(latestUpTo: data.messages.newestRevision)
    }
}

extension WatchCore where B: ~Copyable {
    @inline(never)
    mutating func takeForHandler(
        _ header: MessageHeader, _ body: borrowing MessageBody, _ datagram: FixedArray<UInt8>
    ) -> ApplyOutcome {
        // The value is at the end of the datagram.
        let payload = datagram.slice(datagram.count - body.payload.count..<datagram.count)
        let use: MessageUse = header.delivery == .latest ? .valueFromPhone : .queueFromPhone
        guard let slot = data.messages.index(of: body.name, use) else {
            // A withdrawn message has no name and nothing to apply. A value with an unknown name is ignored.
            return header.hasValue && header.delivery == .queued ? .rejected(.unknownName) : .applied
        }
        guard payload.count <= data.messages.slots[slot].capacity else { return .rejected(.noRoom) }
        switch header.delivery {
        case .latest:
            data.messages.receive(
                header.hasValue ? .value : .cleared, payload.span, revision: header.sequence, in: slot)
            if data.messages.keepValuesAt == nil { data.messages.keepValuesAt = board.now + WatchLimits.valueAge }
        case .queued:
            guard data.messages.arrive(slot: slot, payload.span, sequence: header.sequence) else {
                return .rejected(.noRoom)
            }
            store.keep(.arrival(slot: slot, sequence: header.sequence, payload), of: &data, on: &board)
        }
        return .applied
    }

    /// Writes the oldest unstored value from the phone to flash. Returns whether it wrote a value. While the phone is
    /// connected, writes nothing before `keepValuesAt`, because a value that changes every second would wear out the
    /// chip. If a restart loses values, the phone sends them again.
    mutating func keepValueIfDue() -> Bool {
        guard let due = data.messages.keepValuesAt, link.indicator == .down || board.now >= due else { return false }
        return keepNextValue()
    }

    @inline(never)
    private mutating func keepNextValue() -> Bool {
        guard let (slot, revision) = data.messages.firstUnkept else {
            data.messages.keepValuesAt = nil
            return false
        }
        guard store.hasRoom(for: data),
            store.keep(.value(slot: slot, revision: revision, data.messages.slotBytes(slot)), of: &data, on: &board)
        else {
            // The watch tries again later, because upkeep makes room meanwhile.
            data.messages.keepValuesAt = board.now + WatchLimits.valueAge
            return false
        }
        data.messages.noteKept(slot)
        return true
    }

    /// Returns the next event for the handler; nil if there is none. Once the handler has taken the event, the caller
    /// must call `finish`.
    mutating func nextMessage() -> PendingMessage? {
        if files.tell() {
            let message = HandlerMessage(name: "", event: .file, bytes: files.page.slice(0..<0))
            return PendingMessage(message: message, arrived: nil)
        }
        guard data.messages.slots.count > 0 else { return nil }
        if let message = data.messages.tellSettled() { return PendingMessage(message: message, arrived: nil) }
        data.messages.closeLate(at: board.now)
        if let slot = data.messages.unseen, let message = data.messages.tell(slot) {
            return PendingMessage(message: message, arrived: nil)
        }
        // A queued message needs room in flash, to record that the handler has taken it.
        guard store.takesMessages(for: data), let cell = data.messages.nextArrived(),
            case .arrived(let sequence, _) = data.messages.incoming[cell].state
        else { return nil }
        let message = HandlerMessage(
            name: data.messages.slots[Int(data.messages.incoming[cell].slot)].name, event: .queued(number: sequence),
            bytes: data.messages.incomingBytes(cell))
        return PendingMessage(message: message, arrived: sequence)
    }

    mutating func finish(_ pending: PendingMessage) {
        guard let sequence = pending.arrived else { return }
        data.messages.remove(arrived: sequence)
        store.keep(.taken(sequence: sequence), of: &data, on: &board)
    }
}

struct PendingMessage: BitwiseCopyable {
    let message: HandlerMessage
    /// The number of a queued message from the phone; nil for all other events.
    let arrived: UInt32?
}
