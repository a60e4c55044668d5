import Foundation
import GRDB
import Wormhole

extension StoredItem {
    /// The item that a row of the table `item` holds.
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

    /// The titles of the open items of the list of this number, in no order.
    static func openTitles(_ db: Database, in list: Int64) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT title FROM item WHERE list = ? AND checkedAt IS NULL", arguments: [list])
    }

    /// The distance between the ranks of items that are added one after the other: it leaves room for others between them.
    static let rankStep: UInt32 = 1_024
    /// The distance between two ranks after they were assigned anew.
    static let closeRankStep: UInt32 = 16
    /// The most items that a list takes at once, when it has no others: 4,194,303.
    static let mostAtOnce = Int(UInt32.max / rankStep)

    /// Stores `drafts` where the order of the list's store has them, after the last item where nothing was learned of it, and
    /// writes them into the history.
    ///
    /// - Throws: `.tooManyItems`, with nothing stored, where the list has no ranks for them; what the database throws.
    static func append(
        _ db: Database, _ drafts: [ItemDraft], to list: ListRecord, origin: Origin, _ dependencies: PhoneDependencies
    ) throws -> [StoredItem] {
        guard !drafts.isEmpty else { return [] }
        let now = dependencies.now()
        let ranks =
            try ListOrder(db, of: list, dependencies).ranks(db, for: drafts) ?? endRanks(db, of: drafts, in: list)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO item (id, list, rank, title, addedAt, checkedAt, amount, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        var items: [StoredItem] = []
        for (draft, rank) in zip(drafts, ranks) {
            let state: ItemState =
                switch draft.kind {
                case .open: .open
                case .checked: .checked(at: now)
                }
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

    /// The ranks of `drafts` at the end of a list.
    private static func endRanks(_ db: Database, of drafts: [ItemDraft], in list: ListRecord) throws -> [UInt32] {
        let begin = try beginRanks(db, of: drafts.count, in: list)
        return drafts.indices.map { begin + (UInt32($0) + 1) * rankStep }
    }

    /// The rank after which there is room for this number of items at the end of a list.
    private static func beginRanks(_ db: Database, of count: Int, in list: ListRecord) throws -> UInt32 {
        let present = try StoredRow.one(
            db, of: "item", sql: "SELECT max(rank) AS rank, count(*) AS items FROM item WHERE list = ?",
            arguments: [list.number])
        guard let present else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let last: UInt32 = try present["rank"] ?? 0
        let needed = UInt64(count) * UInt64(rankStep)
        if needed <= UInt64(UInt32.max - last) { return last }
        let items: UInt32 = try present["items"]
        let close = UInt64(items) * UInt64(closeRankStep)
        guard needed + close <= UInt64(UInt32.max) else {
            throw PhoneError.tooManyItems(count: count, list: list.name, most: mostAtOnce)
        }
        try closeUp(db, list)
        return UInt32(close)
    }

    /// Assigns new ranks from the start, in the same order.
    private static func closeUp(_ db: Database, _ list: ListRecord) throws {
        try db.execute(
            cached: """
                UPDATE item SET rank = place.rank FROM (
                    SELECT id, row_number() OVER (ORDER BY rank, id) * \(closeRankStep) AS rank FROM item WHERE list = ?
                ) AS place WHERE item.id = place.id
                """, arguments: [list.number])
    }

    /// The ranks that items of these titles would get, one after the other, if they were added now.
    static func ranks(_ db: Database, for titles: [String], in list: ListRecord) throws -> [UInt32] {
        let last: UInt32? = try StoredRow.one(
            db, of: "item", sql: "SELECT max(rank) AS rank FROM item WHERE list = ?", arguments: [list.number])?["rank"]
        return titles.indices.map { index in
            let (rank, overflow) = (last ?? 0).addingReportingOverflow(UInt32(index + 1) * rankStep)
            return overflow ? .max : rank
        }
    }

    /// A number that no item has, had, or is to have. One that was used before would let a late check-off hit the wrong item.
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
