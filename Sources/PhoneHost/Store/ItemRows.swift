import Foundation
import GRDB
import Wormhole

extension StoredItem {
    init(row: StoredRow) throws {
        let checkedAt: Date? = try row["checkedAt"]
        self.init(
            id: ItemIdentifier(rawValue: try row["id", 1...UInt32.max]), rank: try row["rank"],
            title: try row["title"], state: checkedAt.map { .checked(at: $0) } ?? .open, addedAt: try row["addedAt"],
            detail: ItemDetail(amount: try row["amount"], note: try row["note"]))
    }

    static func all(_ db: Database, in list: ListRecord) throws -> [StoredItem] {
        try StoredRow.all(
            db, of: "item", sql: "SELECT * FROM item WHERE list = ? ORDER BY rank, id", arguments: [list.number]
        ).map(StoredItem.init(row:))
    }

    static func openTitles(_ db: Database, in list: Int64) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT title FROM item WHERE list = ? AND checkedAt IS NULL", arguments: [list])
    }

    /// The first open item with this title. Case and spaces do not matter.
    static func open(
        _ db: Database, titled title: String, in list: Int64
    ) throws -> (id: ItemIdentifier, title: String)? {
        let key = ItemKey(title: title)
        return try StoredRow.all(
            db, of: "item", sql: "SELECT id, title FROM item WHERE list = ? AND checkedAt IS NULL ORDER BY rank, id",
            arguments: [list]
        ).map { (ItemIdentifier(rawValue: try $0["id", 1...UInt32.max]), try $0["title"]) }
            .first { ItemKey(title: $0.1) == key }
    }

    /// How many items fit into an empty list: 4,194,303.
    static let mostAtOnce = Int(UInt32.max / RowRanks.step)

    /// Stores new items, and records them in the history. Each goes to its place in the learned order of the list's
    /// shop. The items go to the end if nothing was learned, or if the owner arranges the list by hand.
    ///
    /// - Throws: `.tooManyItems` if the list has no room for all the items, and then stores none; the errors of the
    ///   database.
    static func append(
        _ db: Database, _ drafts: [ItemDraft], to list: ListRecord, origin: Origin, _ dependencies: PhoneDependencies
    ) throws -> [StoredItem] {
        guard !drafts.isEmpty else { return [] }
        let now = dependencies.now()
        let ranks =
            try ListOrder(db, of: list, dependencies).ranks(db, for: drafts) ?? endRanks(db, of: drafts.count, in: list)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO item (id, list, rank, title, addedAt, checkedAt, amount, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        var items: [StoredItem] = []
        for (draft, rank) in zip(drafts, ranks) {
            let state = draft.kind == .open ? ItemState.open : .checked(at: now)
            let item = StoredItem(
                id: try draft.reserved ?? unusedIdentifier(db, dependencies), rank: rank, title: draft.title.text,
                state: state, addedAt: now, detail: draft.detail)
            try insert.execute(arguments: [
                item.id.rawValue, list.number, item.rank, item.title, now.storedMilliseconds,
                state.checkedAt?.storedMilliseconds, item.detail.amount, item.detail.note,
            ])
            try History.insert(db, .added, item.id, known: (item.title, list), at: now, origin: origin)
            items.append(item)
        }
        try list.touch(db, at: now)
        return items
    }

    /// Finds ranks for `count` new items at the end of a list. If there is no room after the last rank, gives the
    /// existing items new ranks in the same order.
    private static func endRanks(_ db: Database, of count: Int, in list: ListRecord) throws -> [UInt32] {
        let last = try lastRank(db, in: list)
        if UInt64(count) * UInt64(RowRanks.step) <= UInt64(UInt32.max - last) {
            return (0..<count).map { last + (UInt32($0) + 1) * RowRanks.step }
        }
        let items = try all(db, in: list)
        guard count <= mostAtOnce,
            let ranks = RowRanks.ranks(items.map(\.rank) + [UInt32?](repeating: nil, count: count))
        else { throw PhoneError.tooManyItems(count: count, list: list.name, most: mostAtOnce) }
        for (item, rank) in zip(items, ranks) where item.rank != rank {
            try db.execute(cached: "UPDATE item SET rank = ? WHERE id = ?", arguments: [rank, item.id.rawValue])
        }
        return Array(ranks.suffix(count))
    }

    static func lastRank(_ db: Database, in list: ListRecord) throws -> UInt32 {
        let rank: UInt32? = try StoredRow.one(
            db, of: "item", sql: "SELECT max(rank) AS rank FROM item WHERE list = ?", arguments: [list.number])?["rank"]
        return rank ?? 0
    }

    /// Returns a random ID that no item has or had, and that is not reserved for a past item. If an ID were used again,
    /// a late check-off of the old item could hit the new one.
    static func unusedIdentifier(_ db: Database, _ dependencies: PhoneDependencies) throws -> ItemIdentifier {
        let search = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM item WHERE id = :id) OR EXISTS (SELECT 1 FROM history WHERE item = :id)
                    OR EXISTS (SELECT 1 FROM pastItem WHERE item = :id)
                """)
        while true {
            let id = ItemIdentifier.random(from: dependencies)
            if try Bool.fetchOne(search, arguments: ["id": id.rawValue]) == false { return id }
        }
    }
}
