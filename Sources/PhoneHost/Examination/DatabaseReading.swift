import GRDB

/// The queries of a database's examination, none of which trusts a value.
struct DatabaseReading {
    private let database: Database
    private(set) var unreadable: Set<String> = []
    private(set) var migrations: [String] = []
    private(set) var schema = DatabaseCheck.Schema.present
    private(set) var integrity: [String] = []
    private(set) var orphans: [String: Int] = [:]
    private(set) var outOfRange: [DatabaseCheck.OutOfRange] = []
    private(set) var lists: [DatabaseCheck.List] = []
    private(set) var watches: [DatabaseCheck.Watch] = []
    private var counts: [String: Int] = [:]

    /// Whole numbers of 64 bits: identities, and numbers that SQLite gives out.
    private static let wideColumns: Set<String> = ["identity", "watch", "number", "list", "activeList"]

    /// Times, in milliseconds since 1970, whose names end in "At" or are this.
    private static let timeColumn = "at"

    init(_ db: Database) throws {
        database = db
        readSchema()
        // One message of SQLite's may have several lines.
        integrity =
            (read(DatabaseCheck.wholeFile) { try String.fetchAll($0, sql: "PRAGMA integrity_check(100)") } ?? [])
            .flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
        integrity.removeAll { $0 == "ok" }
        for row in read(DatabaseCheck.wholeFile, { try Row.fetchAll($0, sql: "PRAGMA foreign_key_check") }) ?? [] {
            orphans[text(row, 0), default: 0] += 1
        }
        for table in tables { readTable(table) }
        readLists()
        readWatches()
    }

    func count(_ table: String) -> Int { counts[table] ?? 0 }

    /// The result of a query, nil and a note where it fails.
    private mutating func read<Value>(_ table: String, _ query: (Database) throws -> Value) -> Value? {
        do { return try query(database) } catch {
            unreadable.insert(table)
            return nil
        }
    }

    /// The value in a column as text, whatever is in it.
    private func text(_ row: Row, _ column: Int) -> String {
        String.fromDatabaseValue(row[column] as DatabaseValue) ?? ""
    }

    /// The value in a column as a number; 0 for anything else.
    private func number(_ row: Row, _ column: Int) -> Int64 {
        Int64.fromDatabaseValue(row[column] as DatabaseValue) ?? 0
    }

    private mutating func readSchema() {
        let migrator = PhoneSchema.migrator(.system) { _ in }
        migrations =
            read("grdb_migrations") { db in
                try Row.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
            }?.map { text($0, 0) } ?? []
        let isNewer = read("grdb_migrations") { try migrator.hasBeenSuperseded($0) } ?? false
        let isPresent = read("grdb_migrations") { try migrator.hasCompletedMigrations($0) } ?? true
        schema = isNewer ? .newer : isPresent ? .present : .older
    }

    private var tables: [String] {
        mutating get {
            read("sqlite_master") { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                        AND name NOT LIKE 'grdb_%' ORDER BY name
                        """)
            } ?? []
        }
    }

    /// The values that may stand in a column of whole numbers: times are those of the years 1 to 9999, other numbers have 32
    /// bits without sign; nil for any.
    private static func range(of column: String) -> ClosedRange<Int64>? {
        if wideColumns.contains(column) { return nil }
        if column == timeColumn || column.hasSuffix("At") { return -62_135_596_800_000...253_402_300_799_999 }
        return 0...Int64(UInt32.max)
    }

    /// Counts the rows of a table, and those with a number out of range.
    private mutating func readTable(_ table: String) {
        counts[table] = read(table) { try Int.fetchOne($0, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0 } ?? 0
        let columns = read(table) { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'INTEGER'", arguments: [table])
        }
        for column in columns ?? [] {
            guard let range = DatabaseReading.range(of: column) else { continue }
            let rows = read(table) { db in
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM "\(table)" WHERE "\(column)" IS NOT NULL
                        AND (typeof("\(column)") <> 'integer' OR "\(column)" NOT BETWEEN ? AND ?)
                        """, arguments: [range.lowerBound, range.upperBound])
            }
            if let rows = rows ?? nil, rows > 0 {
                outOfRange.append(DatabaseCheck.OutOfRange(table: table, column: column, rows: rows))
            }
        }
    }

    private mutating func readLists() {
        let rows = read("list") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT name, count(item.id), count(checkedAt), list.number IN (SELECT activeList FROM host)
                    FROM list LEFT JOIN item ON item.list = list.number GROUP BY list.number ORDER BY list.number
                    """)
        }
        lists = (rows ?? []).map { row in
            let (all, checked) = (number(row, 1), number(row, 2))
            return DatabaseCheck.List(
                name: text(row, 0), open: Int(all - checked), checked: Int(checked),
                role: number(row, 3) == 0 ? .other : .active)
        }
    }

    private mutating func readWatches() {
        let rows = read("watch") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT identity, name, queuedIssued, queuedAcknowledged,
                        (SELECT count(*) FROM outgoing WHERE watch = identity AND sequence > queuedAcknowledged)
                    FROM watch ORDER BY firstMetAt, identity
                    """)
        }
        watches = (rows ?? []).map { row in
            DatabaseCheck.Watch(
                identity: UInt64(bitPattern: number(row, 0)), name: text(row, 1),
                waiting: number(row, 2).subtractingReportingOverflow(number(row, 3)).partialValue,
                queued: number(row, 4))
        }
    }
}
