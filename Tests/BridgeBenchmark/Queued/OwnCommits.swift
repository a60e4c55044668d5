import Foundation
import GRDBSQLite

/// SQLite by itself, with the settings of a message store: a row like a queued message, and a commit of it that survives a loss of
/// power.
final class OwnCommits {
    private let directory: TemporaryDirectory
    private let database: OpaquePointer
    private let insertion: OpaquePointer

    /// - Parameter place: the directory on whose disk its file is.
    init(in place: String) throws {
        directory = try TemporaryDirectory(in: place)
        var database: OpaquePointer?
        guard sqlite3_open(directory.path + "/commits", &database) == SQLITE_OK, let database else {
            throw POSIXError(.EIO)
        }
        self.database = database
        let table = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            CREATE TABLE message (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, payload BLOB NOT NULL) STRICT;
            """
        var insertion: OpaquePointer?
        let insert = "INSERT INTO message (name, payload) VALUES ('probe', zeroblob(20))"
        guard sqlite3_exec(database, table, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, insert, -1, &insertion, nil) == SQLITE_OK, let insertion
        else { throw POSIXError(.EIO) }
        self.insertion = insertion
        try growLog()
    }

    /// A write-ahead log grows until its first checkpoint, and is written over from then on.
    private func growLog() throws {
        let growth = """
            BEGIN; INSERT INTO message (name, payload) VALUES ('large', zeroblob(6000000)); COMMIT;
            PRAGMA wal_checkpoint; DELETE FROM message; PRAGMA wal_checkpoint;
            """
        guard sqlite3_exec(database, growth, nil, nil, nil) == SQLITE_OK else { throw POSIXError(.EIO) }
    }

    /// Commits one row after the other for so long. Returns how many a second there were.
    func count(for length: Duration) throws -> Double {
        let start = steadyNanoseconds()
        let end = start + UInt64(length / .nanoseconds(1))
        var count = 0
        var now = start
        while now < end {
            guard sqlite3_step(insertion) == SQLITE_DONE else { throw POSIXError(.EIO) }
            sqlite3_reset(insertion)
            count += 1
            now = steadyNanoseconds()
        }
        return Double(count) * 1e9 / Double(now - start)
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_close(database)
    }
}
