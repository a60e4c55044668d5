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
        if message.lastTrip > lastTrip.seconds { lastTrip = LastTrip(seconds: message.lastTrip) }
    }

    private mutating func applyTimeline(_ reader: CBORReader) throws(CBORError) -> DataEffect {
        var entries = try ComplicationMessageReader(reader)
        timeline.removeAll()
        while let entry = entries.next() { timeline.extend(with: entry) }
        return .complication
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
        if utf8.matches(ListMessage.name) {
            self = .list
        } else if utf8.matches(TitleMessage.name) {
            self = .title
        } else if utf8.matches(ComplicationMessage.name) {
            self = .complication
        } else {
            return nil
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
