import CalDAV
import GRDB
import Wormhole

/// What the database knows about a list on a calendar server when a sync begins.
struct CalendarState: Sendable {
    var token: String?
    var known: [String: KnownItem]
    var waiting: Int
}

extension PhoneStore {
    /// Connects each of a server's collections with a list. A collection that is already connected keeps its list.
    ///
    /// If the phone created a new collection to publish a list, connects the collection with that list. Connects any
    /// other new collection with the list that `ListRecord.unattached` finds or makes for the collection's name.
    func attach(_ collections: [RemoteCollection], to account: Int64) async throws(PhoneError) {
        try await write { [dependencies] db in
            let asked = try ListRecord.published(db, on: account)
            // Published collections come first, so that no other collection takes their lists.
            for collection in collections.filter({ asked[$0.address.text] != nil })
                + collections.filter({ asked[$0.address.text] == nil })
            {
                let known = try StoredRow.one(
                    db, of: "calendarList",
                    sql: "SELECT number, state FROM calendarList WHERE account = ? AND address = ?",
                    arguments: [account, collection.address.text])
                if let known {
                    let (number, state): (Int64, CalendarList.State) = (try known["number"], try known[case: "state"])
                    // The collection was deleted and is back. Without a token, the next sync compares all its items.
                    if state == .gone {
                        try db.execute(
                            cached: "UPDATE calendarList SET state = 'attached', token = NULL WHERE number = ?",
                            arguments: [number])
                    }
                    continue
                }
                let list =
                    try asked[collection.address.text]
                    ?? ListRecord.unattached(db, named: collection.name, on: account, dependencies)
                // The list may still have the record of a collection that its server deleted.
                try db.execute(cached: "DELETE FROM calendarList WHERE list = ?", arguments: [list.number])
                try db.execute(cached: "DELETE FROM calendarPublication WHERE list = ?", arguments: [list.number])
                try db.execute(
                    cached: "INSERT INTO calendarList (account, list, address, state) VALUES (?, ?, ?, 'attached')",
                    arguments: [account, list.number, collection.address.text])
            }
        }
    }

    /// Records that the server no longer has this collection. The list keeps its items.
    func detach(_ calendar: Int64) async throws(PhoneError) {
        try await write { db in
            try db.execute(
                cached: "UPDATE calendarList SET state = 'gone', token = NULL WHERE number = ?", arguments: [calendar])
            try db.execute(cached: "DELETE FROM calendarRefusal WHERE calendar = ?", arguments: [calendar])
        }
    }

    func calendarState(_ calendar: Int64) async throws(PhoneError) -> CalendarState {
        try await read { db in
            let list = try StoredRow.one(
                db, of: "calendarList", sql: "SELECT token FROM calendarList WHERE number = ?", arguments: [calendar])
            let rows = try StoredRow.all(
                db, of: "calendarItem",
                sql: "SELECT path, etag, formerETags, coverage FROM calendarItem WHERE calendar = ?",
                arguments: [calendar])
            var known: [String: KnownItem] = [:]
            for row in rows {
                let former: String = try row["formerETags"]
                known[try row["path"]] = KnownItem(
                    etag: try row["etag"], former: Set(former.split(separator: "\n").map(String.init)),
                    coverage: try row[case: "coverage"])
            }
            return CalendarState(
                token: try list?["token"], known: known, waiting: try CalendarQueue.count(db, of: calendar))
        }
    }

    /// Stores a change that a sync demands. Returns the number of items that the server has restored to an earlier
    /// version.
    func make(_ change: StoreChange, in calendar: Int64) async throws(PhoneError) -> Int {
        try await write { [dependencies] db in
            try CalendarChanges(db, of: calendar, dependencies)?.make(db, change) ?? 0
        }
    }

    func storeRefusals(_ refused: [RefusedItem], of calendar: Int64) async throws(PhoneError) {
        try await write { db in
            try db.execute(cached: "DELETE FROM calendarRefusal WHERE calendar = ?", arguments: [calendar])
            for item in refused {
                try db.execute(
                    cached: """
                        INSERT OR REPLACE INTO calendarRefusal (calendar, path, title, reason) VALUES (?1, ?2, coalesce(?3, (
                            SELECT nullif(title, '') FROM calendarItem WHERE calendar = ?1 AND path = ?2), ?4), ?5)
                        """,
                    arguments: [
                        calendar, item.path, item.title, UnsyncedItem.name(at: item.path), "\(item.reason)",
                    ])
            }
        }
    }

    func pendingEdits(of calendar: Int64, only item: UInt32?) async throws(PhoneError) -> [PendingEdit] {
        try await read { db in try CalendarQueue.edits(db, of: calendar, only: item) }
    }

    /// Returns when any of the lists on calendar servers last changed, in milliseconds since 1970; 0 if there are no
    /// such lists.
    func calendarChange() async throws(PhoneError) -> Int64 {
        try await read { db in
            try Int64.fetchOne(
                db, sql: "SELECT max(changedAt) FROM list WHERE number IN (SELECT list FROM calendarList)") ?? 0
        }
    }
}

extension ListRecord {
    /// The lists that the owner is publishing to an account. The keys are the addresses of the lists' new collections.
    fileprivate static func published(_ db: Database, on account: Int64) throws -> [String: ListRecord] {
        let rows = try StoredRow.all(
            db, of: "calendarPublication",
            sql: """
                SELECT list, name, address FROM calendarPublication JOIN list ON number = list WHERE account = ?
                AND NOT EXISTS (
                    SELECT 1 FROM calendarList WHERE calendarList.list = number AND state = 'attached')
                """, arguments: [account])
        var lists: [String: ListRecord] = [:]
        for row in rows { lists[try row["address"]] = ListRecord(number: try row["list"], name: try row["name"]) }
        return lists
    }

    /// Finds or makes a list called `name`. Adds a number to the name if the list with that name is or was on a server, or is
    /// being published to another account.
    fileprivate static func unattached(
        _ db: Database, named name: String, on account: Int64, _ dependencies: PhoneDependencies
    ) throws -> ListRecord {
        let clean = (try? CleanTitle(name))?.text ?? "List"
        var number = 1
        while true {
            let list = try findOrCreate(db, name: number == 1 ? clean : "\(clean) \(number)", dependencies)
            let attached = try StoredRow.one(
                db, of: "calendarList",
                sql: """
                    SELECT 1 FROM calendarList WHERE list = ?1
                    UNION ALL SELECT 1 FROM calendarPublication WHERE list = ?1 AND account <> ?2
                    """, arguments: [list.number, account])
            if attached == nil { return list }
            number += 1
        }
    }
}
