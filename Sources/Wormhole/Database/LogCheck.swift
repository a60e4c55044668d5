import Foundation
import GRDB
import GRDBSQLite

/// Looks whether the log beside a database is its own; see `LogMark`.
package struct LogCheck {
    private let path: String
    /// The path without links, under which SQLite keeps the log.
    private let realPath: String

    private static let attempts = 10

    /// A look at the database at `path`.
    package init(path: String) {
        self.path = path
        realPath =
            realpath(path, nil).map { resolved in
                defer { free(resolved) }
                return String(cString: resolved)
            } ?? path
    }

    private var log: String { realPath + "-wal" }

    /// Looks at the files before they are opened.
    ///
    /// - Throws: `.logWithoutFile` where there is a log and no file, or an empty one: SQLite would delete the log.
    package func begin() throws(LogFault) {
        guard holds(log), !holds(realPath) else { return }
        throw .logWithoutFile(path: path)
    }

    /// Compares the file alone with what it is through its log, as the connection has it, which nothing was written to yet.
    ///
    /// - Throws: `.foreignLog` where the log is that of another state of the file.
    package func compare(_ db: Database) throws {
        guard holds(log) else { return }
        // A host that has the database open may begin another log between two of these.
        for _ in 0..<LogCheck.attempts {
            // Where something cannot be read, what follows tells why.
            guard let own = versionAlone, let first = LogMark(db), !first.continues(own) else { return }
            if LogMark(db) == first { throw LogFault.foreignLog(path: path) }
        }
    }

    /// Closes the last connection of a database in `body`, without SQLite's merging of the log. The connection beside it may
    /// only read, so it merges nothing either.
    package func leavingLog(_ body: () -> Void) {
        read("mode=ro") { connection in
            _ = version(connection)
            body()
        }
    }

    /// Whether there is a file that is not empty, as SQLite sees it.
    private func holds(_ file: String) -> Bool {
        guard let fileSystem = sqlite3_vfs_find(nil) else { return false }
        var exists: Int32 = 0
        return fileSystem.pointee.xAccess(fileSystem, file, SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK && exists != 0
    }

    /// The mark of the file without the log; nil where that cannot be read.
    private var versionAlone: Int32? { read("mode=ro&immutable=1", version) ?? nil }

    /// Has a connection that changes nothing.
    @discardableResult
    private func read<Value>(_ parameters: String, _ body: (OpaquePointer?) -> Value) -> Value? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2("\(location)?\(parameters)", &connection, flags, nil) == SQLITE_OK else { return nil }
        return body(connection)
    }

    private func version(_ connection: OpaquePointer?) -> Int32? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_int(statement, 0)
    }

    /// The path as SQLite's names with parameters have it.
    private var location: String {
        let escaped = realPath.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return "file:" + (escaped ?? path)
    }
}
