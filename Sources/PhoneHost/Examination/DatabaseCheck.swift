import GRDB
import Wormhole

/// A report on the contents and the damage of a database. The check reads a copy of the database's files, and trusts
/// none of the stored values.
package struct DatabaseCheck: Sendable {
    package enum Damage: Sendable, Equatable {
        /// SQLite's integrity check reported this line.
        case file(String)
        /// SQLite cannot read this table to its end. If `table` is nil, SQLite could not finish a check of the whole
        /// database.
        case unreadable(table: String?)
        /// In this number of rows, the column has a value that no version of Tapline writes.
        case outOfRange(table: String, column: String, rows: Int)
        /// This many rows of the table refer to rows that do not exist.
        case orphans(table: String, rows: Int)
        /// The database has lost this number of messages that the watch has not acknowledged. The phone sends the watch
        /// its whole list again.
        case gap(watch: UInt64, messages: Int64)
        /// No list is the active one, so lists cannot be shown and watches are not served.
        case noActiveList
    }

    package let path: String
    package let fileBytes: Int
    package let logBytes: Int
    package private(set) var damage: [Damage] = []
    package private(set) var lists = 0
    package private(set) var openItems = 0
    package private(set) var checkedItems = 0
    package private(set) var activeList: String?
    package private(set) var watches = 0
    package private(set) var waiting: Int64 = 0
    package private(set) var historyEntries = 0

    private static let mostLines = 10

    /// Integer columns in which every 64-bit value is valid: identities of watches, and IDs that SQLite assigns.
    private static let wideColumns: Set<String> = [
        "identity", "watch", "peer", "transfer", "number", "list", "activeList",
    ]

    /// Checks the database at `path`. Puts the damage that it finds into `damage`, and throws no error for it.
    ///
    /// - Throws: `.damaged` if the file is not a Tapline database; `.otherVersion`, `.cannotOpen` or `.storage` if the
    ///   check cannot be made.
    package init(path: String) throws(PhoneError) {
        do {
            let copy = try DatabaseCopy(of: path)
            defer { copy.remove() }
            self.path = path
            (fileBytes, logBytes) = (copy.fileBytes, copy.logBytes)
            let connection = try DatabaseQueue(path: copy.path)
            try connection.writeWithoutTransaction { db in
                let schema = PhoneSchema.schema(.system)
                // A file without tables becomes a database with the next change.
                if try schema.isNew(db) { try schema.open(db, synchronous: "OFF") }
                read(db)
            }
            try connection.close()
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    private mutating func read(_ db: Database) {
        // One message of SQLite may have several lines.
        let lines = rows(of: nil, db, "PRAGMA integrity_check(\(DatabaseCheck.mostLines))")
            .flatMap { text($0, 0).split(whereSeparator: \.isNewline).map(String.init) }
        damage += lines.filter { $0 != "ok" }.map { .file($0) }
        var orphans: [String: Int] = [:]
        for row in rows(of: nil, db, "PRAGMA foreign_key_check") { orphans[text(row, 0), default: 0] += 1 }
        damage += orphans.sorted { $0.key < $1.key }.map { .orphans(table: $0.key, rows: $0.value) }
        let tables = rows(
            of: nil, db,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        for table in tables { readValues(db, of: text(table, 0)) }
        readLists(db)
        readWatches(db)
        historyEntries = Int(rows(of: "history", db, "SELECT count(*) FROM history").first.map { number($0, 0) } ?? 0)
    }

    /// Returns the rows of a query. If the query fails, records `table` as unreadable, and returns no rows. A nil
    /// `table` means that the query checks the whole database.
    private mutating func rows(of table: String?, _ db: Database, _ sql: String) -> [Row] {
        do { return try Row.fetchAll(db, sql: sql) } catch {
            if !damage.contains(.unreadable(table: table)) { damage.append(.unreadable(table: table)) }
            return []
        }
    }

    /// Returns a column's text, or an empty text if the value is not text. GRDB's `row[column] as String` would trap.
    private func text(_ row: Row, _ column: Int) -> String {
        String.fromDatabaseValue(row[column] as DatabaseValue) ?? ""
    }

    private func number(_ row: Row, _ column: Int) -> Int64 {
        Int64.fromDatabaseValue(row[column] as DatabaseValue) ?? 0
    }

    /// Returns the valid values of an integer column; nil if all values are valid. A column named "at" or "…At" has times
    /// in milliseconds since 1970. The years 1 to 9999 are valid.
    private static func range(of column: String) -> ClosedRange<Int64>? {
        if wideColumns.contains(column) { return nil }
        if column == "at" || column.hasSuffix("At") { return -62_135_596_800_000...253_402_300_799_999 }
        return 0...Int64(UInt32.max)
    }

    private mutating func readValues(_ db: Database, of table: String) {
        let quoted = table.replacing("\"", with: "\"\"")
        let columns = rows(of: table, db, "PRAGMA table_info(\"\(quoted)\")")
        for column in columns where text(column, 2) == "INTEGER" {
            let name = text(column, 1)
            guard let range = DatabaseCheck.range(of: name) else { continue }
            let count =
                rows(
                    of: table, db,
                    """
                    SELECT count(*) FROM "\(quoted)" WHERE "\(name)" IS NOT NULL
                    AND (typeof("\(name)") <> 'integer' OR "\(name)" NOT BETWEEN \(range.lowerBound) AND \(range.upperBound))
                    """
                ).first.map { number($0, 0) } ?? 0
            if count > 0 { damage.append(.outOfRange(table: table, column: name, rows: Int(count))) }
        }
    }

    private mutating func readLists(_ db: Database) {
        let found = rows(
            of: "list", db,
            """
            SELECT name, count(item.id), count(checkedAt), list.number IN (SELECT activeList FROM host)
            FROM list LEFT JOIN item ON item.list = list.number GROUP BY list.number
            """)
        lists = found.count
        for row in found {
            openItems += Int(number(row, 1) - number(row, 2))
            checkedItems += Int(number(row, 2))
            if number(row, 3) != 0 { activeList = text(row, 0) }
        }
        if activeList == nil, !damage.contains(.unreadable(table: "list")) { damage.append(.noActiveList) }
    }

    private mutating func readWatches(_ db: Database) {
        let found = rows(
            of: "peer", db,
            """
            SELECT identity, issued, acknowledged,
                (SELECT count(*) FROM message WHERE peer = identity AND sequence > acknowledged)
            FROM peer
            """)
        watches = found.count
        for row in found {
            let open = number(row, 1).subtractingReportingOverflow(number(row, 2)).partialValue
            waiting = waiting.addingReportingOverflow(open).partialValue
            let gone = open.subtractingReportingOverflow(number(row, 3)).partialValue
            if gone > 0 { damage.append(.gap(watch: UInt64(bitPattern: number(row, 0)), messages: gone)) }
        }
    }
}
