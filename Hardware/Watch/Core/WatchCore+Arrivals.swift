import WatchLink

// What the phone sends under the names of a handler's own.
extension WatchCore where B: ~Copyable {
    /// Takes a message that is none of the list's.
    @inline(never)
    mutating func takeForHandler(
        _ header: MessageHeader, _ body: borrowing MessageBody, _ datagram: FixedArray<UInt8>
    ) -> ApplyOutcome {
        // The value is at the end of the datagram.
        let payload = datagram.slice(datagram.count - body.payload.count..<datagram.count)
        let use: MessageUse = header.delivery == .latest ? .valueFromPhone : .queueFromPhone
        guard let slot = data.messages.index(of: body.name, use) else {
            // A withdrawn message has no name and nothing to apply. A latest value with an unknown name is done.
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

    /// Writes a value of the phone's to flash, where one has waited for long enough or the phone is gone. Returns whether it
    /// did.
    ///
    /// A value that changes every second would wear the chip out. Until it is in flash, the phone sends it again after a
    /// restart.
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
            // Upkeep makes room meanwhile.
            data.messages.keepValuesAt = board.now + WatchLimits.valueAge
            return false
        }
        data.messages.noteKept(slot)
        return true
    }

    /// The next thing that the handler has to know, nil for none; `finish` follows it.
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
        // The handler's receipt needs room in flash.
        guard case .open = store.intake(for: data), let cell = data.messages.nextArrived(),
            case .arrived(let sequence, _) = data.messages.incoming[cell].state
        else { return nil }
        let message = HandlerMessage(
            name: data.messages.slots[Int(data.messages.incoming[cell].slot)].name, event: .queued(number: sequence),
            bytes: data.messages.incomingBytes(cell))
        return PendingMessage(message: message, arrived: sequence)
    }

    /// The handler has taken a message.
    mutating func finish(_ pending: PendingMessage) {
        guard let sequence = pending.arrived else { return }
        data.messages.remove(arrived: sequence)
        store.keep(.taken(sequence: sequence), of: &data, on: &board)
    }
}

/// A message for the handler.
struct PendingMessage: BitwiseCopyable {
    let message: HandlerMessage
    /// The sequence of a queued message, nil for anything else.
    let arrived: UInt32?
}
