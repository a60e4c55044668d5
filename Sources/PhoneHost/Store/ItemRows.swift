import Foundation
import GRDB

extension StoredItem {
    /// The item that a row of the table `item` holds.
    init(row: Row) {
        let checkedAt: Int64? = row["checkedAt"]
        self.init(
            id: ItemIdentifier(rawValue: row["id"]), rank: row["rank"], title: row["title"],
            state: checkedAt.map { .checked(at: Date(storedMilliseconds: $0)) } ?? .open,
            addedAt: Date(storedMilliseconds: row["addedAt"]))
    }

    static func all(_ db: Database, in list: ListRecord) throws -> [StoredItem] {
        try Row.fetchAll(db, sql: "SELECT * FROM item WHERE list = ? ORDER BY rank, id", arguments: [list.number])
            .map(StoredItem.init(row:))
    }

    /// The distance between the ranks of items that are added one after the other: it leaves room for others between them.
    static let rankStep: Int64 = 1_024

    /// Stores `drafts` after the last item of a list.
    static func append(
        _ db: Database, _ drafts: [ItemDraft], to list: ListRecord, _ dependencies: PhoneDependencies
    ) throws -> [StoredItem] {
        guard !drafts.isEmpty else { return [] }
        let now = dependencies.now()
        var rank = try lastRank(db, in: list)
        if rank > Int64(UInt32.max) - rankStep * Int64(drafts.count) {
            try closeUp(db, list)
            rank = try lastRank(db, in: list)
        }
        let insert = try db.makeStatement(
            sql: "INSERT INTO item (id, list, rank, title, addedAt, checkedAt) VALUES (?, ?, ?, ?, ?, ?)")
        // An identifier that was used before would let a late check-off hit the wrong item.
        let search = try db.makeStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM item WHERE id = :id) OR EXISTS (SELECT 1 FROM history WHERE item = :id)
                """)
        var items: [StoredItem] = []
        for draft in drafts {
            rank += rankStep
            let state: ItemState =
                switch draft.kind {
                case .open: .open
                case .checked: .checked(at: now)
                }
            let item = StoredItem(
                id: try unusedIdentifier(search, dependencies), rank: UInt32(rank), title: draft.title.text,
                state: state, addedAt: now)
            try insert.execute(arguments: [
                item.id.rawValue, list.number, item.rank, item.title, now.storedMilliseconds,
                state.checkedAt?.storedMilliseconds,
            ])
            items.append(item)
        }
        try list.touch(db, at: now)
        return items
    }

    private static func lastRank(_ db: Database, in list: ListRecord) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(rank) FROM item WHERE list = ?", arguments: [list.number]) ?? 0
    }

    /// Assigns new ranks from the start, in the same order.
    private static func closeUp(_ db: Database, _ list: ListRecord) throws {
        try db.execute(
            sql: """
                UPDATE item SET rank = place.rank FROM (
                    SELECT id, row_number() OVER (ORDER BY rank, id) * 16 AS rank FROM item WHERE list = ?
                ) AS place WHERE item.id = place.id
                """, arguments: [list.number])
    }

    private static func unusedIdentifier(
        _ search: Statement, _ dependencies: PhoneDependencies
    ) throws -> ItemIdentifier {
        while true {
            let id = ItemIdentifier.random(from: dependencies)
            if try Bool.fetchOne(search, arguments: ["id": id.rawValue]) == false { return id }
        }
    }
}
