import GRDB
import Glibc
import HostSystem

/// The one schema of a kind of database. SQLite's `application_id` says whose database a file is, and its `user_version` which
/// version of the schema it has.
package struct DatabaseSchema {
    /// Why a database is not used. Nothing in it is changed.
    package enum Fault: Error, Equatable {
        /// Another program's database.
        case foreign
        /// Another version of Tapline wrote it.
        case otherVersion
        /// The file system has no shared memory for SQLite's log.
        case noSharedMemory
    }

    /// Whether SQLite keeps a database of this path in a file; else it is gone when it is closed.
    package static func isFile(_ path: String) -> Bool { !path.isEmpty && path != ":memory:" }

    /// The path of a file as SQLite takes it: not as a URI.
    package static func plain(_ path: String) -> String { path.hasPrefix("file:") ? "./\(path)" : path }

    private let application: Int32
    private let version: Int32
    private let create: (Database) throws -> Void

    /// - Parameter create: makes the tables of a new database, inside a transaction.
    package init(application: Int32, version: Int32, create: @escaping (Database) throws -> Void) {
        self.application = application
        self.version = version
        self.create = create
    }

    /// Whether a database has no tables yet.
    ///
    /// - Throws: `Fault` if the database is not of this schema.
    package func isNew(_ db: Database) throws -> Bool {
        // Both are in the file's first bytes: a database that is damaged behind them is still ours.
        let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id")
        if owner == application {
            guard try Int32.fetchOne(db, sql: "PRAGMA user_version") == version else { throw Fault.otherVersion }
            return false
        }
        guard try owner == 0 && Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 else {
            throw Fault.foreign
        }
        return true
    }

    /// Prepares a connection outside of a transaction, and creates the tables of a new database.
    ///
    /// - Parameter synchronous: the value of SQLite's setting of that name.
    /// - Throws: `Fault` if the database is not of this schema; what SQLite throws.
    package func open(_ db: Database, synchronous: String) throws {
        let isNew = try isNew(db)
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" || mode == "memory" else { throw Fault.noSharedMemory }
        try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
        guard isNew else { return }
        try db.transaction("BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION") { db in
            try db.execute(sql: "PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
            try create(db)
        }
    }
}

extension DatabaseError {
    /// Whether SQLite has failed because the file system of the database at `path` has no locks. It says that a database is busy
    /// for ENOLCK, and keeps other reasons for itself.
    package func meansNoLocks(at path: String) -> Bool {
        [.SQLITE_BUSY, .SQLITE_IOERR].contains(resultCode) && access(path, F_OK) == 0
            && !Descriptors.canLock(beside: path)
    }
}
