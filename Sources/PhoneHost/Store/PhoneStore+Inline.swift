import Foundation
import GRDB
import WatchLink
import Wormhole

// Calls for a simulation with a database in memory. They run on the caller's thread.
extension PhoneStore {
    private func writing<Value>(_ body: (Database) throws -> Value) throws(PhoneError) -> Value {
        do { return try connection.write(body) } catch { throw PhoneError(error, path: path) }
    }

    private func reading<Value>(_ body: (Database) throws -> Value) throws(PhoneError) -> Value {
        do { return try connection.read(body) } catch { throw PhoneError(error, path: path) }
    }

    /// Renames the active list, and stops check-offs from sorting it.
    package func arrangeList(as name: String) throws(PhoneError) {
        try writing { db in
            try db.execute(
                cached: "UPDATE list SET name = ?, ordering = 'arranged' WHERE number = ?",
                arguments: [try CleanTitle(name).text, try ListRecord.find(db, name: nil).number])
        }
    }

    /// Adds items to the active list.
    ///
    /// - Parameter rank: the rank of all the items; the list is sorted by rank. If `rank` is nil, they go to their
    ///   learned places, or to the end if nothing was learned.
    package func addHere(_ drafts: [ItemDraft], rank: UInt32? = nil) throws(PhoneError) {
        try writing { db in
            let list = try ListRecord.find(db, name: nil)
            let items = try StoredItem.append(db, drafts, to: list, origin: .command, dependencies)
            guard let rank else { return }
            for item in items {
                try db.execute(cached: "UPDATE item SET rank = ? WHERE id = ?", arguments: [rank, item.id.rawValue])
            }
        }
    }

    package func applyHere(_ edit: ListEdit) throws(PhoneError) {
        try writing { db in _ = try ItemEdits.apply(db, edit, origin: .command, storedAt: edit.action.time) }
    }

    /// Replaces the past items that watches offer for the active list. The watches offer the first draft first.
    ///
    /// Adds one purchase of each item to the history, dated 7 to 26 weeks ago. Before that, deletes all check-offs of
    /// the list that came from commands, among them the purchases that earlier calls added.
    package func offerHere(_ drafts: [ItemDraft]) throws(PhoneError) {
        try writing { db in
            let list = try ListRecord.find(db, name: nil)
            try db.execute(cached: "DELETE FROM pastItem WHERE list = ?", arguments: [list.number])
            try db.execute(
                cached: "DELETE FROM history WHERE list = ? AND event = 'checked' AND origin = 'command'",
                arguments: [list.number])
            for (index, draft) in drafts.enumerated() {
                let item = draft.reserved ?? ItemIdentifier.random(from: dependencies)
                try db.execute(
                    cached: "INSERT INTO pastItem (item, list, title) VALUES (?, ?, ?)",
                    arguments: [item.rawValue, list.number, draft.title.text])
                // Watches offer the item with the oldest purchase first. Each purchase falls on today's weekday, and
                // before the weeks that `UsualTrips` reads.
                let weeks = max(Int(UsualTrips.weeks) + 1, 26 - index)
                try History.insert(
                    db, .checked, item, known: (draft.title.text, list),
                    at: dependencies.now().addingTimeInterval(-Double(weeks) * 604_800), origin: .command)
            }
            try db.execute(cached: "UPDATE host SET offeredAt = NULL")
        }
    }

    /// Replaces all notes on the watch face with these.
    package func showHere(_ notes: [NoteDraft]) throws(PhoneError) {
        try writing { db in
            _ = try NoteTable.remove(db, nil, at: dependencies.now())
            for note in notes { _ = try NoteTable.add(db, note, dependencies) }
        }
    }

    /// Queues a push of the complication for each watch.
    package func pushHere() throws(PhoneError) {
        try writing { db in _ = try ComplicationStore.queuePush(db, dependencies) }
    }

    /// The open items of the active list, in order.
    package func openItems() throws(PhoneError) -> [StoredItem] {
        try reading { db in try StoredItem.all(db, in: ListRecord.find(db, name: nil)).filter(\.state.isOpen) }
    }

    /// The number of open items of the active list.
    package func openCount() throws(PhoneError) -> Int {
        try reading { db in Int(try ListRecord.find(db, name: nil).openItems(db)) }
    }

    /// Returns the item and message number of each check-off from a watch, in order of arrival. Includes check-offs
    /// without effect. Also includes additions from a watch, if they had no effect.
    package func arrivedCheckOffs() throws(PhoneError) -> [(item: UInt32, sequence: UInt32)] {
        try reading { db in
            try StoredRow.all(
                db, of: "history",
                sql: """
                    SELECT item, sequence FROM history
                    WHERE origin = 'watch' AND event IN ('checked', 'repeated', 'rejected') ORDER BY number
                    """
            ).map { (try $0["item"], try $0["sequence"]) }
        }
    }
}
