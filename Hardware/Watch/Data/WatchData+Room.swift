import WatchLink

// A message is applied whole or not at all: a full list rejects one that does not fit.
extension WatchData {
    /// Whether the list has room for every change of a message. It is not called for messages from the journal, which
    /// fitted when they arrived.
    ///
    /// - Parameter held: the item whose row is held even if the phone removes it, nil for none.
    /// - Throws: the error of the payload.
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

    /// Whether an item has a row after the first `count` changes.
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
