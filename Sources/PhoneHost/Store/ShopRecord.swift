import GRDB
import Wormhole

/// A shop. The phone learns one order of items for each shop. A list that is assigned to no named shop has a shop of
/// its own, without a name.
struct ShopRecord: Equatable {
    /// The number of a named shop. For a list's own shop, the negated number of the list.
    let number: Int64
    let name: String?

    static func of(_ db: Database, _ list: ListRecord) throws -> ShopRecord {
        let row = try StoredRow.one(
            db, of: "shop",
            sql: """
                SELECT shop.number, name FROM shopOfList JOIN shop ON shop = shop.number
                WHERE list = ? ORDER BY since DESC LIMIT 1
                """, arguments: [list.number])
        return try row.map(ShopRecord.init(row:)) ?? .own(of: list.number)
    }

    static func own(of list: Int64) -> ShopRecord {
        ShopRecord(number: -list, name: nil)
    }

    static func named(_ db: Database, _ name: String) throws -> ShopRecord? {
        try StoredRow.one(
            db, of: "shop", sql: "SELECT number, name FROM shop WHERE name = ?",
            arguments: [(try? CleanTitle(name))?.text ?? ""]
        ).map(ShopRecord.init(row:))
    }

    static func all(_ db: Database) throws -> [ShopRecord] {
        let named = try StoredRow.all(db, of: "shop", sql: "SELECT number, name FROM shop ORDER BY number")
        let lists = try StoredRow.all(
            db, of: "list",
            sql: "SELECT number FROM list WHERE number NOT IN (SELECT list FROM shopOfList) ORDER BY number")
        return try named.map(ShopRecord.init(row:)) + lists.map { .own(of: try $0["number"]) }
    }

    func lists(_ db: Database) throws -> [ListRecord] {
        try StoredRow.all(
            db, of: "list",
            sql: """
                SELECT number, name FROM list WHERE coalesce((
                    SELECT shop FROM shopOfList WHERE list = list.number ORDER BY since DESC LIMIT 1), -list.number) = ?
                ORDER BY number
                """, arguments: [number]
        ).map { ListRecord(number: try $0["number"], name: try $0["name"]) }
    }

    func periods(_ db: Database) throws -> [Period] {
        if number < 0 {
            let end: Int64? = try StoredRow.one(
                db, of: "shopOfList", sql: "SELECT min(since) AS until FROM shopOfList WHERE list = ?",
                arguments: [-number])?["until"]
            return [Period(list: -number, entries: 0..<(end ?? .max))]
        }
        return try StoredRow.all(
            db, of: "shopOfList",
            sql: """
                SELECT list, since, (SELECT min(later.since) FROM shopOfList AS later
                    WHERE later.list = shopOfList.list AND later.since > shopOfList.since) AS until
                FROM shopOfList WHERE shop = ?
                """, arguments: [number]
        ).map { row in
            let (since, until): (Int64, Int64?) = (try row["since"], try row["until"])
            return Period(list: try row["list"], entries: since..<max(since, until ?? .max))
        }
    }

    /// A time during which a list was assigned to the shop. `entries` has the numbers of the history
    /// entries in that time.
    struct Period {
        let list: Int64
        let entries: Range<Int64>
    }
}

extension ShopRecord {
    private init(row: StoredRow) throws {
        self.init(number: try row["number"], name: try row["name"])
    }
}
