import Foundation
import GRDB

extension PhoneStore {
    /// The history, oldest first; of one list where `name` is given, and at most the newest `limit` entries.
    ///
    /// - Throws: `.noSuchList`, or what the database throws.
    package func history(of name: String? = nil, limit: Int? = nil) async throws(PhoneError) -> [HistoryEntry] {
        try await read { db in
            let list = try name.map { try ListRecord.find(db, name: $0) }
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT history.*, list.name AS listName FROM history LEFT JOIN list ON history.list = list.number
                    WHERE :list IS NULL OR history.list = :list ORDER BY history.number DESC LIMIT :limit
                    """, arguments: ["list": list?.number, "limit": limit ?? -1])
            return try rows.reversed().map(HistoryEntry.init(row:))
        }
    }
}

extension HistoryEntry {
    /// The entry that a row of the table `history`, joined with the name of its list, holds.
    init(row: Row) throws {
        let event: String = row["event"]
        guard let event = Event(rawValue: event) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the history has an event \"\(event)\"")
        }
        self.init(
            number: row["number"], event: event, item: ItemIdentifier(rawValue: row["item"]), title: row["title"],
            list: row["listName"], time: Date(storedMilliseconds: row["at"]), origin: try Origin(row: row))
    }
}

extension Origin {
    /// The value in the column `origin`.
    var storedName: String {
        switch self {
        case .command: "command"
        case .phone: "phone"
        case .watch: "watch"
        }
    }

    var tap: WatchTap? {
        switch self {
        case .command, .phone: nil
        case .watch(let tap): tap
        }
    }

    fileprivate init(row: Row) throws {
        let name: String = row["origin"]
        switch name {
        case "command": self = .command
        case "phone": self = .phone
        case "watch":
            let watch: Int64 = row["watch"]
            self = .watch(
                WatchTap(
                    watch: UInt64(bitPattern: watch), epoch: row["epoch"], sequence: row["sequence"],
                    tap: History.known(row["tap"]), localTime: History.known(row["localTime"])))
        default:
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the history has an origin \"\(name)\"")
        }
    }
}

/// Writing the history, as part of a transaction.
enum History {
    /// A number of a row: 0, which an earlier version wrote for none, is none.
    fileprivate static func known(_ number: UInt32?) -> UInt32? { number == 0 ? nil : number }

    /// Writes an entry. An edit that changed nothing is written only where a watch made it, because a watch gets no
    /// answer.
    static func insert(
        _ db: Database, _ event: HistoryEntry.Event, _ item: ItemIdentifier, known: (title: String, list: ListRecord)?,
        at time: Date, origin: Origin
    ) throws {
        switch (event, origin) {
        case (.rejected, .command), (.rejected, .phone), (.repeated, .command), (.repeated, .phone): return
        case (_, .watch), (.checked, _), (.unchecked, _), (.removed, _): break
        }
        let tap = origin.tap
        try db.execute(
            sql: """
                INSERT INTO history (event, item, title, list, at, origin, watch, epoch, sequence, tap, localTime)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                event.rawValue, item.rawValue, known?.title, known?.list.number, time.storedMilliseconds,
                origin.storedName, tap.map { Int64(bitPattern: $0.watch) }, tap?.epoch, tap?.sequence, tap?.tap,
                tap?.localTime,
            ])
    }

    /// When the newest check-off of a list was, nil where there has been none.
    static func lastCheckOff(_ db: Database, of list: ListRecord) throws -> Date? {
        try Int64.fetchOne(
            db, sql: "SELECT max(at) FROM history WHERE list = ? AND event = 'checked'", arguments: [list.number]
        ).map(Date.init(storedMilliseconds:))
    }
}
