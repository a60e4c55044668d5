import Foundation
import GRDBSQLite

/// Looks, before a database is opened, whether the log beside it is its own; see `LogMark`. It changes neither; SQLite
/// may make an index beside them.
struct LogCheck {
    let path: String

    /// - Throws: `.foreignLog` where the log is that of another state of the file, `.logWithoutFile` where there is no file.
    func run() throws(PhoneError) {
        let file = DatabaseFile(path: path)
        guard holds(file.companions[0]) else { return }
        // SQLite would delete the log.
        guard holds(file.realPath) else { throw .logWithoutFile(path: path) }
        // A host that has the database open may begin another log between two of these.
        for _ in 0..<LogCheck.attempts {
            // Where something cannot be read, opening tells why.
            guard let own = read(.fileAlone, { markOf($0) }),
                let first = read(.throughLog, { mark(of: $0, against: own) }), !first.continues(own)
            else { return }
            if read(.throughLog, { mark(of: $0, against: own) }) == first { throw .foreignLog(path: path) }
        }
    }

    private static let attempts = 10

    /// What is read.
    private enum Source {
        case throughLog
        /// The file as it is without the log.
        case fileAlone

        var parameters: String {
            switch self {
            case .throughLog: "mode=ro"
            case .fileAlone: "mode=ro&immutable=1"
            }
        }
    }

    /// Whether there is a file that is not empty, as SQLite sees it.
    private func holds(_ file: String) -> Bool {
        guard let fileSystem = sqlite3_vfs_find(nil) else { return false }
        var exists: Int32 = 0
        return fileSystem.pointee.xAccess(fileSystem, file, SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK && exists != 0
    }

    /// What `query` finds in a connection that changes nothing; nil where there is none.
    private func read<Value>(_ source: Source, _ query: (OpaquePointer?) -> Value?) -> Value? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2("\(location)?\(source.parameters)", &connection, flags, nil) == SQLITE_OK else {
            return nil
        }
        return query(connection)
    }

    private func markOf(_ connection: OpaquePointer?) -> Int32? { number("PRAGMA user_version", connection) }

    /// The mark through the log. The table, for which SQLite reads the whole schema, is left out where the file is of that log.
    private func mark(of connection: OpaquePointer?, against own: Int32) -> LogMark? {
        guard let mark = markOf(connection) else { return nil }
        let alone = LogMark(mark: mark, previous: nil)
        guard !alone.continues(own) else { return alone }
        return LogMark(mark: mark, previous: number("SELECT previous FROM logMark", connection))
    }

    /// The first number that a query has.
    private func number(_ query: String, _ connection: OpaquePointer?) -> Int32? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_int(statement, 0)
    }

    /// The path as SQLite's names with parameters have it.
    private var location: String {
        let escaped = DatabaseFile(path: path).realPath.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return "file:" + (escaped ?? path)
    }
}
