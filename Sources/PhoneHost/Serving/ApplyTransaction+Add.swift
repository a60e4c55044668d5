import Foundation
import GRDB
import WatchLink
import Wormhole

extension ApplyTransaction {
    /// Adds the past item that the wearer chose on the watch. Adds nothing if an open item already has the same title, or if
    /// the past item may have been bought or removed since the wearer chose it.
    func add(_ db: Database, _ payload: [UInt8]) throws -> Result {
        guard let addition: AddMessage = decode(payload) else { return .done(.rejected(.malformed), title: nil) }
        let tap = WatchTap(
            watch: message.peer.rawValue, epoch: message.origin, sequence: message.sequence, tap: nil,
            localTime: addition.localTime)
        guard try !History.has(db, tap) else { return .duplicate }
        let item = ItemIdentifier(rawValue: addition.item)
        if let offer = try PastItemTable.offer(db, of: addition.item) {
            try FeedStore.additionArrived(db, of: addition.item, title: offer.title, from: message.peer.column)
            return .done(try add(db, item, offer.title, to: offer.list, tap), title: offer.title)
        }
        guard
            let row = try StoredRow.one(
                db, of: "item", sql: "SELECT * FROM item WHERE id = ?", arguments: [item.rawValue])
        else {
            let removed = try History.removal(db, of: item)
            try FeedStore.additionArrived(
                db, of: addition.item, title: removed?.title ?? "", from: message.peer.column)
            guard let removed, addition.isLater(than: dependencies.localSeconds(removed.at)) else {
                try History.insert(db, .rejected, item, known: nil, at: time, origin: .watch(tap))
                return .done(.rejected(.refused), title: nil)
            }
            return .done(try add(db, item, removed.title, to: removed.list, tap), title: removed.title)
        }
        let present = try StoredItem(row: row)
        try FeedStore.additionArrived(db, of: addition.item, title: present.title, from: message.peer.column)
        // The choice opens the item again, unless it was bought later, or an open item already has its title.
        let isWanted =
            switch present.state {
            case .open: true
            case .checked(let bought):
                try addition.isLater(than: dependencies.localSeconds(bought))
                    && !isOpen(db, present.title, on: try row["list"])
            }
        let action: ListEdit.Action = isWanted ? .uncheck(at: time) : .check(at: time)
        _ = try ItemEdits.apply(db, ListEdit(item: item, action: action), origin: .watch(tap), storedAt: time)
        return .done(.applied, title: present.title)
    }

    /// Adds the item under the ID that the watch already uses for it, unless an open item has the same title.
    private func add(
        _ db: Database, _ item: ItemIdentifier, _ title: String, to list: ListRecord, _ tap: WatchTap
    ) throws -> ApplyOutcome {
        if try isOpen(db, title, on: list.number) {
            try History.insert(db, .repeated, item, known: (title, list), at: time, origin: .watch(tap))
            return .applied
        }
        try PastItemTable.use(db, item.rawValue)
        try CalendarQueue.keep(db, item.rawValue)
        var draft = ItemDraft(title: try CleanTitle(title))
        draft.reserved = item
        _ = try StoredItem.append(db, [draft], to: list, origin: .watch(tap), dependencies)
        return .applied
    }

    private func isOpen(_ db: Database, _ title: String, on list: Int64) throws -> Bool {
        try StoredItem.open(db, titled: title, in: list) != nil
    }

    /// Finds the open item that replaces `item`. The phone ignored this watch's addition of `item`, because an open item
    /// had the same title. Nil if there was no such addition, or if no item with that title is open now.
    func openItem(_ db: Database, besideAdded item: ItemIdentifier) throws -> (id: ItemIdentifier, title: String)? {
        guard let added = try History.additionWithoutEffect(db, of: item, by: message.peer.column) else { return nil }
        return try StoredItem.open(db, titled: added.title, in: added.list)
    }
}

extension AddMessage {
    /// Whether the wearer added the item after `time`, in local seconds since 1970. False if the watch did not know the
    /// time.
    fileprivate func isLater(than time: UInt32) -> Bool { localTime.map { $0 > time } ?? false }
}
