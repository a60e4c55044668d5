import WatchLink

extension WatchData: JournalClient {
    @inline(never)
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        do {
            guard let kind = DataRecordKind(rawValue: kind.rawValue) else { return .unknownKind }
            try read(kind, payload)
            return .applied
        } catch {
            return .unreadable
        }
    }

    private mutating func read(_ kind: DataRecordKind, _ payload: Span<UInt8>) throws(CBORError) {
        var reader = CBORReader(payload)
        switch kind {
        case .listChanges: try readMessage(.list, payload)
        case .title: try readMessage(.title, payload)
        case .timeLine: try readMessage(.complication, payload)
        case .pastItems: try readMessage(.past, payload)
        case .handlerValue: try readValue(payload)
        case .handlerMessage: try readOutgoing(payload)
        case .arrival, .waitingArrival: try readArrival(payload, kind)
        case .taken: try readTaken(&reader)
        case .identity: try readIdentity(&reader)
        case .positions: try readPositions(&reader)
        case .item: try readItem(&reader, into: .list)
        case .pastItem: try readItem(&reader, into: .past)
        case .addition: try readAddition(&reader)
        case .checkOff: try readCheckOff(&reader)
        case .reloadRequest: try readReloadRequest(&reader)
        case .phoneChange:
            try readIdentity(&reader)
            forgetList()
        case .listName: try readListName(&reader)
        case .timelineEntry: try readTimelineEntry(&reader)
        case .sortingOrder: break
        case .settings: settings = try WatchSettings(from: &reader)
        }
    }

    @inline(never)
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? {
        while true {
            guard let part = SnapshotPart(rawValue: cursor.part) else { return nil }
            var writer = CBORWriter(payload._mutatingExtracting(0..<payload.count))
            let kind: DataRecordKind?
            do {
                kind = try write(part, element: &cursor.element, &writer)
            } catch {
                // Every record is far smaller than the buffer. If one were not, the rest of its snapshot part would be left out,
                // instead of being retried forever.
                kind = nil
            }
            if let kind { return SnapshotRecord(kind: RecordKind(kind), count: writer.count) }
            cursor.part += 1
            cursor.element = 0
        }
    }

    /// Writes the record of the next element of `part`, and sets `element` to the index at which the next call begins. Returns
    /// the record's kind, or nil if `part` has no more elements.
    private func write(
        _ part: SnapshotPart, element: inout Int, _ writer: inout CBORWriter
    ) throws(CBORError) -> DataRecordKind? {
        defer { element &+= 1 }
        switch part {
        case .identity, .identityAgain:
            guard element == 0, identity != nil else { return nil }
            try writeIdentity(&writer)
            return .identity
        case .positions:
            guard element == 0 else { return nil }
            try writePositions(&writer)
            return .positions
        case .title:
            guard element == 0 else { return nil }
            try writeListName(&writer)
            return .listName
        case .settings:
            guard element == 0, settings != WatchSettings() else { return nil }
            try settings.encode(into: &writer)
            return .settings
        case .items:
            while element < WatchLimits.rows {
                // A checked-off item is left out, although its row stays for 250 ms. In that time, its message may be
                // acknowledged and forgotten. After a restart, nothing would then take the item off the list.
                if let item = items.waitingItem(inSlot: element) {
                    try write(item, &writer)
                    return .item
                }
                element += 1
            }
            return nil
        case .past:
            let past = items.rows(.past)
            guard element < past.rowCount else { return nil }
            try write(past[element], &writer)
            return .pastItem
        case .timeline:
            guard element < timeline.count else { return nil }
            try writeTimelineEntry(element, &writer)
            return .timelineEntry
        case .outbox:
            // `element` is the number of the last message that was written, so an acknowledgement in between does not shift the
            // position.
            let last = UInt32(truncatingIfNeeded: element)
            guard last < .max else { return nil }
            var sequence = max(last &+ 1, outbox.acknowledgedSequence &+ 1)
            // A message that was lost from the journal has no record.
            while sequence <= outbox.newestSequence, sequence > outbox.acknowledgedSequence {
                element = Int(truncatingIfNeeded: sequence) &- 1
                if let entry = outbox.message(sequence) {
                    try write(entry.message, sequence: sequence, origin: entry.origin, &writer)
                    return DataRecord.message(entry.message, sequence: sequence).kind
                }
                sequence &+= 1
            }
            return nil
        case .messages: return try writeNextMessage(element: &element, &writer)
        }
    }
}

/// A part of a snapshot. The parts are written in the order of the cases. Items precede the outbox, because the watch removes
/// an item when it reads the item's check-off. The identity is written twice, so that a single damaged byte does not lose it.
private enum SnapshotPart: Int {
    case identity, positions, title, settings, timeline, items, past, outbox, messages, identityAgain
}

// A message is applied completely or not at all. A full list rejects a message that does not fit.
extension WatchData {
    /// Whether the list has room for all changes of a message from the radio. For the parameter `held`, see `apply`.
    @inline(never)
    func hasRoom(
        for name: FeedName, _ payload: Span<UInt8>, holding held: ItemID?
    ) throws(CBORError) -> Bool {
        switch name {
        case .title, .complication, .past: return true
        case .list: return hasRoom(for: try ListMessageReader(CBORReader(payload)), holding: held)
        }
    }

    @inline(never)
    private func hasRoom(for message: ListMessageReader, holding held: ItemID?) -> Bool {
        switch message.message.rows {
        case .beyond: return true
        case .given: break
        }
        if items.count &+ Int(truncatingIfNeeded: message.message.changeCount) <= WatchLimits.rows { return true }
        var changes = message
        var (rows, done) = (items.count, 0)
        while let change = changes.next() {
            switch change {
            case .clear: rows = 0
            case .put(let id, _, _):
                if !outbox.holdsCheckOff(of: ItemID(id), above: message.message.applied),
                    !holds(id, after: done, of: message, holding: held)
                {
                    rows += 1
                }
            case .remove(let id):
                if held != ItemID(id), holds(id, after: done, of: message, holding: held) { rows -= 1 }
            }
            if rows > WatchLimits.rows { return false }
            done += 1
        }
        return true
    }

    @inline(never)
    private func holds(
        _ id: UInt32, after count: Int, of message: ListMessageReader, holding held: ItemID?
    ) -> Bool {
        var changes = message
        var isThere = items.row(of: ItemID(id)) != nil
        var done = 0
        while done < count, let change = changes.next() {
            switch change {
            case .clear: isThere = false
            case .put(id, _, _):
                isThere = isThere || !outbox.holdsCheckOff(of: ItemID(id), above: message.message.applied)
            case .remove(id): isThere = isThere && held == ItemID(id)
            case .put, .remove: break
            }
            done += 1
        }
        return isThere
    }
}
