import Foundation
import GRDB
import Wormhole

extension PhoneStore {
    /// Returns the newest `limit` history entries of the list called `name`, in the order from old to new. If `name` is
    /// nil, returns entries of all lists. If `limit` is nil, returns all entries.
    package func history(
        of name: String? = nil, events: [HistoryEntry.Event] = HistoryEntry.Event.allCases, limit: Int? = nil
    ) async throws(PhoneError) -> [HistoryEntry] {
        try await read { db in
            let list = try name.map { try ListRecord.find(db, name: $0) }
            let rows = try StoredRow.all(
                db, of: "history",
                sql: """
                    SELECT history.*, list.name AS listName FROM history LEFT JOIN list ON history.list = list.number
                    WHERE (:list IS NULL OR history.list = :list) AND instr(:events, ' ' || event || ' ')
                    ORDER BY history.number DESC LIMIT :limit
                    """,
                arguments: [
                    "list": list?.number, "limit": limit ?? -1,
                    "events": " " + events.map(\.rawValue).joined(separator: " ") + " ",
                ])
            return try rows.reversed().map(HistoryEntry.init(row:))
        }
    }
}

extension HistoryEntry {
    init(row: StoredRow) throws {
        let event: Event = try row[case: "event"]
        let description =
            event == .described
            ? Description(
                before: ItemDetail(amount: try row["formerAmount"], note: try row["formerNote"]),
                after: ItemDetail(amount: try row["amount"], note: try row["note"])) : nil
        self.init(
            number: try row["number"], event: event,
            item: ItemIdentifier(rawValue: try row["item"]), title: try row["title"],
            formerTitle: try row["formerTitle"], description: description, list: try row["listName"],
            time: try row["at"], origin: try Origin(row: row))
    }
}

extension Origin {
    /// The name of an origin in the database column `origin` and in JSON.
    package enum Name: String {
        case command
        case imported = "import"
        case phone
        case watch
    }

    package var name: Name {
        switch self {
        case .command: .command
        case .imported: .imported
        case .phone: .phone
        case .watch: .watch
        }
    }

    package var tap: WatchTap? {
        switch self {
        case .command, .imported, .phone: nil
        case .watch(let tap): tap
        }
    }

    fileprivate init(row: StoredRow) throws {
        let name: Name = try row[case: "origin"]
        switch name {
        case .command: self = .command
        case .imported: self = .imported
        case .phone: self = .phone
        case .watch:
            let watch: Int64 = try row["watch"]
            self = .watch(
                WatchTap(
                    watch: UInt64(bitPattern: watch), epoch: try row["epoch"], sequence: try row["sequence"],
                    tap: try row["tap"], localTime: try row["localTime"]))
        }
    }
}

/// Writes and reads the history. Each call is part of a transaction.
enum History {
    /// The maximum number of `repeated` and `rejected` entries that the history keeps for one watch.
    static let mostWithoutEffect = 1_000

    /// Records an event. If the event is `repeated` or `rejected`, and no watch caused it, records nothing.
    static func insert(
        _ db: Database, _ event: HistoryEntry.Event, _ item: ItemIdentifier, known: (title: String, list: ListRecord)?,
        formerTitle: String? = nil, description: HistoryEntry.Description? = nil, at time: Date, origin: Origin
    ) throws {
        let (tap, isWithoutEffect) = (origin.tap, event == .repeated || event == .rejected)
        if tap == nil, isWithoutEffect { return }
        try db.execute(
            cached: """
                INSERT INTO history
                    (event, item, title, formerTitle, amount, note, formerAmount, formerNote, list, at, origin, watch,
                    epoch, sequence, tap, localTime)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                event.rawValue, item.rawValue, known?.title, formerTitle, description?.after.amount,
                description?.after.note, description?.before.amount, description?.before.note, known?.list.number,
                time.storedMilliseconds, origin.name.rawValue, tap.map { Int64(bitPattern: $0.watch) },
                tap?.epoch, tap?.sequence, tap?.tap, tap?.localTime,
            ])
        if let tap, isWithoutEffect {
            try dropWithoutEffect(db, of: Int64(bitPattern: tap.watch), keeping: mostWithoutEffect)
        }
    }

    static func has(_ db: Database, _ tap: WatchTap) throws -> Bool {
        try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM history WHERE watch = ? AND epoch = ? AND sequence = ?)",
            arguments: [Int64(bitPattern: tap.watch), tap.epoch, tap.sequence]) ?? false
    }

    /// Returns when an item was last removed, and the title and list with which it was last added. Returns nil if the
    /// history lacks either event.
    static func removal(
        _ db: Database, of item: ItemIdentifier
    ) throws -> (title: String, list: ListRecord, at: Date)? {
        try StoredRow.one(
            db, of: "history",
            sql: """
                SELECT title, list.number AS listNumber, list.name AS listName, removal.at AS removedAt
                FROM history JOIN list ON history.list = list.number
                JOIN (SELECT at FROM history WHERE item = ?1 AND event = 'removed' ORDER BY number DESC LIMIT 1) AS removal
                WHERE item = ?1 AND event = 'added' ORDER BY history.number DESC LIMIT 1
                """, arguments: [item.rawValue]
        ).map { row in
            let list = ListRecord(number: try row["listNumber"], name: try row["listName"])
            return (try row["title"], list, try row["removedAt"])
        }
    }

    /// A watch's addition has no effect if an open item already has the title. Finds this watch's newest such addition
    /// of the item since the item was last removed. Returns the title and list of the addition; nil if there is none.
    static func additionWithoutEffect(
        _ db: Database, of item: ItemIdentifier, by watch: Int64
    ) throws -> (title: String, list: Int64)? {
        try StoredRow.one(
            db, of: "history",
            sql: """
                SELECT title, list FROM history WHERE item = ?1 AND watch = ?2 AND event = 'repeated'
                AND number > coalesce((SELECT max(number) FROM history WHERE item = ?1 AND event = 'removed'), 0)
                ORDER BY number DESC LIMIT 1
                """, arguments: [item.rawValue, watch]
        ).map { (try $0["title"], try $0["list"]) }
    }

    /// Deletes a watch's `repeated` and `rejected` entries, except the newest `most`.
    static func dropWithoutEffect(_ db: Database, of watch: Int64, keeping most: Int) throws {
        try db.execute(
            cached: """
                DELETE FROM history WHERE number IN (
                    SELECT number FROM history WHERE watch = ? AND event IN ('repeated', 'rejected')
                    ORDER BY number DESC LIMIT -1 OFFSET ?)
                """, arguments: [watch, most])
    }

    /// Returns the time of the list's last recorded check-off; nil if there is none. If the time is in the future,
    /// because the host's clock was wrong, returns `now`.
    static func lastCheckOff(_ db: Database, of list: ListRecord, now: Date) throws -> Date? {
        let newest: Date? = try StoredRow.one(
            db, of: "history",
            sql: "SELECT at FROM history WHERE list = ? AND event = 'checked' ORDER BY number DESC LIMIT 1",
            arguments: [list.number])?["at"]
        return newest.map { min($0, now) }
    }

    /// Returns the times of a list's check-offs after `time`, newest first. Returns at most the newest 10,000.
    static func checkOffs(_ db: Database, of list: ListRecord, since time: Date) throws -> [Date] {
        try StoredRow.all(
            db, of: "history",
            sql: """
                SELECT at FROM history WHERE list = ? AND event = 'checked' AND at > ? ORDER BY at DESC LIMIT 10000
                """, arguments: [list.number, time.storedMilliseconds]
        ).map { try $0["at"] }
    }
}
