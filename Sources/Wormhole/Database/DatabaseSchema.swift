import GRDB
import Glibc
import HostSystem

/// The schema of one kind of database. SQLite's `application_id` identifies the kind, and `user_version` the version.
package struct DatabaseSchema {
    /// Why a database file is rejected. The file stays unchanged.
    package enum Fault: Error, Equatable {
        case foreign
        case otherVersion
        /// The file system lacks the shared memory that SQLite's write-ahead log needs.
        case noSharedMemory
    }

    package static func isFile(_ path: String) -> Bool { !path.isEmpty && path != ":memory:" }

    /// Returns the path in a form that SQLite does not read as a URI: `./` is put before a path that begins with `file:`.
    package static func plain(_ path: String) -> String { path.hasPrefix("file:") ? "./\(path)" : path }

    private let application: Int32
    private let version: Int32
    private let create: (Database) throws -> Void

    package init(application: Int32, version: Int32, create: @escaping (Database) throws -> Void) {
        self.application = application
        self.version = version
        self.create = create
    }

    /// Whether the database is empty. Throws `Fault` if it has another schema, or another version of this one.
    package func isNew(_ db: Database) throws -> Bool {
        // Both numbers are in the first bytes of the file, so they survive damage further on.
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

    /// Sets up a connection, and creates the tables if the database is new. The caller must not be in a transaction.
    /// - Parameter synchronous: the value for SQLite's pragma of that name.
    /// - Throws: `Fault`, or an error of the database.
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
    /// Whether this error means that the file system has no locks. SQLite reports missing locks only as a busy database or an
    /// I/O error, so this function tries to lock a new file beside the database at `path`.
    package func meansNoLocks(at path: String) -> Bool {
        [.SQLITE_BUSY, .SQLITE_IOERR].contains(resultCode) && access(path, F_OK) == 0
            && !Descriptors.canLock(beside: path)
    }
}
