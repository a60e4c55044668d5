import WatchLink

// What the phone sends, applied: the same way whether it comes from the radio or is read back from the journal. A message
// is read whole before anything of it is used, so one that cannot be understood changes nothing.
extension WatchData {
    /// Applies a message and returns what it means for the panel.
    ///
    /// - Throws: what is wrong with the payload.
    mutating func apply(_ name: FeedName, _ payload: Span<UInt8>) throws(CBORError) -> DataEffect {
        var reader = CBORReader(payload)
        switch name {
        case .list:
            return try applyList(reader)
        case .title:
            let title = try TitleMessage(from: &reader)
            apply(title)
            return .title
        case .complication:
            return try applyTimeline(reader)
        }
    }

    /// Forgets a latest value that the phone has cleared.
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
        }
    }

    private mutating func applyList(_ reader: CBORReader) throws(CBORError) -> DataEffect {
        var changes = try ListMessageReader(reader)
        defer { if let token = changes.message.reloadToken { reloaded = token } }
        switch changes.message.rows {
        case .beyond: return changes.message.reloadToken == nil ? .passing : .passed
        case .given: break
        }
        more = changes.message.more
        while let change = changes.next() {
            switch change {
            case .clear:
                items.removeAll()
            case .put(let id, let rank, let title):
                // The phone did not know yet that it is checked off when it sent this.
                if outbox.holdsCheckOff(of: ItemID(id)) { continue }
                items.put(ListItem(id: ItemID(id), rank: rank, title: title))
            case .remove(let id):
                guard let row = items.row(of: ItemID(id)) else { continue }
                switch items[row].state {
                case .waiting: items.remove(row: row)
                // Its check-off has reached the phone while it is held under the finger: it goes when that is over.
                case .struck: continue
                }
            }
        }
        return .list
    }

    private mutating func apply(_ message: TitleMessage) {
        title = message.listName
        if let trip = message.lastTrip, trip > lastTrip.seconds { lastTrip = LastTrip(seconds: trip) }
    }

    private mutating func applyTimeline(_ reader: CBORReader) throws(CBORError) -> DataEffect {
        var entries = try ComplicationMessageReader(reader)
        timeline.removeAll()
        while let entry = entries.next() { timeline.extend(with: entry) }
        return .complication
    }
}

// What a full list refuses: a message is applied whole or not at all.
extension WatchData {
    /// Whether the list has room for a message throughout its changes. A message that fits when it arrives is not asked again
    /// when it is read back from the journal.
    ///
    /// - Throws: what is wrong with the payload.
    @inline(never)
    func hasRoom(for name: FeedName, _ payload: Span<UInt8>) throws(CBORError) -> Bool {
        switch name {
        case .title, .complication: return true
        case .list: return hasRoom(for: try ListMessageReader(CBORReader(payload)))
        }
    }

    @inline(never)
    private func hasRoom(for message: ListMessageReader) -> Bool {
        switch message.message.rows {
        case .beyond: return true
        case .given: break
        }
        if items.count &+ Int(message.message.changeCount) <= WatchLimits.rows { return true }
        var changes = message
        var (rows, done) = (items.count, 0)
        while let change = changes.next() {
            switch change {
            case .clear: rows = 0
            case .put(let id, _, _):
                if !outbox.holdsCheckOff(of: ItemID(id)), !holds(id, after: done, of: message) { rows += 1 }
            case .remove(let id): if holds(id, after: done, of: message) { rows -= 1 }
            }
            if rows > WatchLimits.rows { return false }
            done += 1
        }
        return true
    }

    /// Whether an item has a row after the first `count` changes of a message.
    @inline(never)
    private func holds(_ id: UInt32, after count: Int, of message: ListMessageReader) -> Bool {
        var changes = message
        var isThere = items.row(of: ItemID(id)) != nil
        var done = 0
        while done < count, let change = changes.next() {
            switch change {
            case .clear: isThere = false
            case .put(id, _, _): isThere = isThere || !outbox.holdsCheckOff(of: ItemID(id))
            case .remove(id): isThere = false
            case .put, .remove: break
            }
            done += 1
        }
        return isThere
    }
}

/// The names under which the watch takes messages.
enum FeedName: Sendable, BitwiseCopyable {
    /// Changes of the list.
    case list
    /// The list's name.
    case title
    /// The complication's time line.
    case complication

    /// The name of a message, nil for one that the watch does not take.
    init?(_ utf8: Span<UInt8>) {
        switch ApplicationMessage(name: utf8) {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        case .check, .reload, nil: return nil
        }
    }

    /// How messages of this name are delivered.
    var delivery: LinkDelivery {
        switch self {
        case .list: ListMessage.delivery
        case .title: TitleMessage.delivery
        case .complication: ComplicationMessage.delivery
        }
    }

    /// The kind of record that keeps a message of this name.
    var recordKind: RecordKind {
        switch self {
        case .list: .listChanges
        case .title: .title
        case .complication: .timeLine
        }
    }
}
