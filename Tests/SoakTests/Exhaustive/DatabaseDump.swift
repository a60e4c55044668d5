import GRDBSQLite

@testable import soak

/// Everything that another program reads in a database of a virtual disk: the rows of every table, as text.
struct DatabaseDump: Equatable, CustomStringConvertible {
    private(set) var tables: [String: [String]] = [:]

    /// Nil where SQLite refuses to read it, or finds it damaged.
    init?(_ path: String, on disk: VirtualDisk) {
        let before = disk.process
        disk.process = DiskProcess()
        defer { disk.process = before }
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            DatabaseDump.rows(of: "PRAGMA integrity_check", connection) == ["ok"],
            let names = DatabaseDump.rows(
                of: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", connection)
        else { return nil }
        for name in names {
            guard let rows = DatabaseDump.rows(of: "SELECT * FROM \(name)", connection) else { return nil }
            tables[name] = rows
        }
    }

    private static func rows(of query: String, _ connection: OpaquePointer?) -> [String]? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK else { return nil }
        var rows: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let cells = (0..<sqlite3_column_count(statement)).map { column in
                    let bytes = sqlite3_column_blob(statement, column)
                    let count = Int(sqlite3_column_bytes(statement, column))
                    let cell = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
                    return String(decoding: cell, as: UTF8.self)
                }
                rows.append(cells.joined(separator: "|"))
            case SQLITE_DONE: return rows
            case _: return nil
            }
        }
    }

    /// The rows that only one of two has.
    func difference(from other: DatabaseDump) -> String {
        Set(tables.keys).union(other.tables.keys).sorted().compactMap { name in
            let (ours, theirs) = (Set(tables[name] ?? []), Set(other.tables[name] ?? []))
            guard ours != theirs else { return nil }
            return "\(name): +\(ours.subtracting(theirs).sorted()) -\(theirs.subtracting(ours).sorted())"
        }.joined(separator: "; ")
    }

    var description: String { "\(tables.values.reduce(0) { $0 + $1.count }) rows" }
}
