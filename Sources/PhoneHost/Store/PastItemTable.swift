import Foundation
import GRDB
import WatchLink
import Wormhole

/// Stores the past items that the watches offer to add again. Call these functions inside a transaction.
///
/// Each offered item has a reserved ID. A watch can therefore add the item without the phone, and two watches add it
/// under the same ID.
enum PastItemTable {
    static let definition = """
        CREATE TABLE pastItem (
            item INTEGER PRIMARY KEY CHECK (item BETWEEN 1 AND 4294967295),
            list INTEGER NOT NULL REFERENCES list (number) ON DELETE CASCADE,
            title TEXT NOT NULL CHECK (title <> '')
        ) STRICT;
        CREATE INDEX pastItemsOfList ON pastItem (list, title);
        """

    /// How many of the newest purchases are used to rank items.
    private static let mostPurchases = 10_000

    /// Chooses and publishes the offered items again if necessary. Returns whether the offer has changed.
    ///
    /// A new choice is necessary in these cases:
    ///
    /// - Another list is active, or a new day has begun.
    /// - No item is open, and an item was checked off since the last choice.
    /// - An offered item is open.
    static func publish(
        _ db: Database, _ present: FeedStore.PresentList, _ dependencies: PhoneDependencies
    ) throws -> Bool {
        let now = dependencies.now()
        let published = try LatestStore.published(db, .past)
        guard try isDue(db, present, published, dependencies) else { return false }
        let open = try StoredItem.openTitles(db, in: present.list.number)
        let purchases = try purchases(db, of: present.list, dependencies)
        let titles = PastItems.likeliest(
            of: purchases, notIn: open, at: dependencies.localSeconds(now), most: AddMessage.mostPastItems)
        try db.execute(
            cached: "UPDATE host SET offeredAt = ?, offeredList = ?",
            arguments: [now.storedMilliseconds, present.list.number])
        // No item was ever bought, so there is no offer to withdraw.
        guard !titles.isEmpty || published != nil else { return false }
        let ranks = try ListOrder(db, of: present.list, dependencies).offeredRanks(db, for: titles)
        let rows = try zip(titles, ranks).map { title, rank in
            FeedRow(
                id: try reserve(db, title, in: present.list, dependencies).rawValue, rank: rank,
                title: ItemTitle(cutting: title))
        }
        return try LatestStore.publish(db, try PastFeed(rows).message(), over: published)
    }

    /// Publishes an empty offer if this database has published none. If the database was restored from a copy, a watch may have
    /// an offer with IDs that the database does not know.
    static func withdrawUnknownOffer(_ db: Database) throws {
        guard try LatestStore.published(db, .past) == nil else { return }
        _ = try LatestStore.publish(db, try PastFeed([]).message(), over: nil)
    }

    private static func isDue(
        _ db: Database, _ present: FeedStore.PresentList, _ published: [UInt8]?, _ dependencies: PhoneDependencies
    ) throws -> Bool {
        let (list, isEmpty) = (present.list, present.window.total == 0)
        let host = try StoredRow.one(db, of: "host", sql: "SELECT offeredAt, offeredList FROM host")
        let last: Date? = try host?["offeredAt"]
        let offeredList: Int64? = try host?["offeredList"]
        let now = dependencies.now()
        let days = [last, now].map { $0.map { dependencies.localSeconds($0) / 86_400 } }
        guard offeredList == list.number, days[0] == days[1] else { return true }
        if isEmpty, let bought = try History.lastCheckOff(db, of: list, now: now),
            last.map({ $0 < bought }) ?? true
        {
            return true
        }
        let offered = Set(PastFeed(payload: published ?? []).rows.map { ItemKey(title: $0.title.text) })
        guard !offered.isEmpty, !isEmpty else { return false }
        return try !offered.isDisjoint(with: StoredItem.openTitles(db, in: list.number).map { ItemKey(title: $0) })
    }

    static func purchases(
        _ db: Database, of list: ListRecord, _ dependencies: PhoneDependencies
    ) throws -> [PastItems.Purchase] {
        try StoredRow.all(
            db, of: "history",
            sql: """
                SELECT title, at FROM history WHERE list = ? AND event = 'checked' AND title IS NOT NULL
                ORDER BY at DESC LIMIT ?
                """, arguments: [list.number, mostPurchases]
        ).map { row in
            let time: Date = try row["at"]
            return PastItems.Purchase(title: try row["title"], time: dependencies.localSeconds(time))
        }
    }

    private static func reserve(
        _ db: Database, _ title: String, in list: ListRecord, _ dependencies: PhoneDependencies
    ) throws -> ItemIdentifier {
        let reserved: UInt32? = try StoredRow.one(
            db, of: "pastItem", sql: "SELECT item FROM pastItem WHERE list = ? AND title = ?",
            arguments: [list.number, title])?["item", 1...UInt32.max]
        if let reserved { return ItemIdentifier(rawValue: reserved) }
        let item = try StoredItem.unusedIdentifier(db, dependencies)
        try db.execute(
            cached: "INSERT INTO pastItem (item, list, title) VALUES (?, ?, ?)",
            arguments: [item.rawValue, list.number, title])
        return item
    }

    static func offer(_ db: Database, of item: UInt32) throws -> (title: String, list: ListRecord)? {
        try StoredRow.one(
            db, of: "pastItem",
            sql: """
                SELECT title, list.number AS listNumber, list.name AS listName
                FROM pastItem JOIN list ON pastItem.list = list.number WHERE item = ?
                """, arguments: [item]
        ).map { row in
            (try row["title"], ListRecord(number: try row["listNumber"], name: try row["listName"]))
        }
    }

    /// Deletes the reservation of an item's ID, because the caller adds the item to its list.
    static func use(_ db: Database, _ item: UInt32) throws {
        try db.execute(cached: "DELETE FROM pastItem WHERE item = ?", arguments: [item])
    }
}
