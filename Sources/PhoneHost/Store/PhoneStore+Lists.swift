import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    package func lists() async throws(PhoneError) -> [ListSummary] {
        try await read { db in
            try StoredRow.all(
                db, of: "list",
                sql: """
                    SELECT name, count(item.id) AS items, count(checkedAt) AS checked, activeList = list.number AS active
                    FROM list JOIN host LEFT JOIN item ON item.list = list.number
                    GROUP BY list.number ORDER BY list.number
                    """
            ).map { row in
                let (items, checked): (UInt32, UInt32) = (try row["items"], try row["checked"])
                return ListSummary(
                    name: try row["name"], open: Int(items) - Int(checked), checked: Int(checked),
                    isActive: try row["active"])
            }
        }
    }

    /// A list with all its items; nil means the active list.
    ///
    /// - Throws: `.noSuchList`, or what the database throws.
    public func contents(of name: String? = nil) async throws(PhoneError) -> ListContents {
        try await read { db in
            let list = try ListRecord.find(db, name: name)
            return ListContents(name: list.name, items: try StoredItem.all(db, in: list))
        }
    }

    /// Adds items to a list in the learned order of its shop, or at the end if nothing was learned. Creates the list if it is
    /// missing. The history records the phone as the source of these items.
    ///
    /// - Parameter name: the list's name; nil means the active list.
    /// - Returns: the list's name, and the new items.
    @discardableResult
    public func add(_ drafts: [ItemDraft], to name: String? = nil) async throws(PhoneError) -> ListContents {
        try await add(drafts, to: name, origin: .phone)
    }

    @discardableResult
    package func add(
        _ drafts: [ItemDraft], to name: String?, origin: Origin
    ) async throws(PhoneError) -> ListContents {
        try await write { [dependencies] db in
            let list = try ListRecord.findOrCreate(db, name: name, dependencies)
            let items = try StoredItem.append(db, drafts, to: list, origin: origin, dependencies)
            return ListContents(name: list.name, items: items)
        }
    }

    /// Makes this list the active one, which the watches show. Creates the list if it is missing.
    public func activate(_ name: String) async throws(PhoneError) {
        try await write { [dependencies] db in
            let list = try ListRecord.findOrCreate(db, name: name, dependencies)
            try db.execute(cached: "UPDATE host SET activeList = ?", arguments: [list.number])
        }
    }
}

/// A list's name, and its number, by which other tables refer to the list.
struct ListRecord {
    let number: Int64
    let name: String

    /// Finds the list with this name; nil means the active list.
    static func find(_ db: Database, name: String?) throws -> ListRecord {
        if let list = try fetch(db, name: name) { return list }
        let known = try String.fetchAll(db, cached: "SELECT name FROM list ORDER BY number")
        throw PhoneError.noSuchList(name: name ?? "", known: known)
    }

    /// Finds the list with this name, or creates it. Nil means the active list.
    static func findOrCreate(_ db: Database, name: String?, _ dependencies: PhoneDependencies) throws -> ListRecord {
        if let list = try fetch(db, name: name) { return list }
        let clean = try CleanTitle(name ?? PhoneSchema.firstListName).text
        try db.execute(
            cached: "INSERT INTO list (name, changedAt) VALUES (?, ?)",
            arguments: [clean, dependencies.now().storedMilliseconds])
        return ListRecord(number: db.lastInsertedRowID, name: clean)
    }

    private static func fetch(_ db: Database, name: String?) throws -> ListRecord? {
        let row =
            if let name {
                try StoredRow.one(
                    db, of: "list", sql: "SELECT number, name FROM list WHERE name = ?",
                    arguments: [(try? CleanTitle(name))?.text ?? ""])
            } else {
                try StoredRow.one(
                    db, of: "list", sql: "SELECT list.number, name FROM list JOIN host ON activeList = list.number")
            }
        return try row.map { ListRecord(number: try $0["number"], name: try $0["name"]) }
    }

    /// Whether the owner arranges the list by hand, so that check-offs do not sort it.
    func isArranged(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, cached: "SELECT ordering = 'arranged' FROM list WHERE number = ?", arguments: [number])
            ?? false
    }

    /// The number of open items.
    func openItems(_ db: Database) throws -> UInt32 {
        try UInt32.fetchOne(
            db, cached: "SELECT count(*) FROM item WHERE list = ? AND checkedAt IS NULL", arguments: [number]) ?? 0
    }

    func touch(_ db: Database, at time: Date) throws {
        try db.execute(
            cached: "UPDATE list SET changedAt = ? WHERE number = ?", arguments: [time.storedMilliseconds, number])
    }
}
