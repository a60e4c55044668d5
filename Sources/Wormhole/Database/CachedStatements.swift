import GRDB
import GRDBSQLite

// SQLite takes longer to prepare most of our statements than to execute them, so each is prepared once for a connection.

extension Database {
    /// Executes a single statement, prepared once for the connection.
    package func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try step(cached: sql, arguments) { _ in }
    }

    /// Executes a single statement, prepared once for the connection, by SQLite's own functions: GRDB's tell observers, which
    /// we have none of.
    ///
    /// - Parameter row: called with the statement at each row.
    package func step(cached sql: String, _ arguments: StatementArguments, _ row: (Statement) -> Void) throws {
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.setArguments(arguments) }
        // A statement that is not at its end keeps its transaction open.
        defer { sqlite3_reset(statement.sqliteStatement) }
        while true {
            let code = sqlite3_step(statement.sqliteStatement)
            switch code {
            case SQLITE_ROW: row(statement)
            case SQLITE_DONE: return
            case _:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
            }
        }
    }

    /// GRDB has SQLite ask at each preparation what a statement reads and changes, for observers, which we have none of.
    package func stopAuthorizing() {
        sqlite3_set_authorizer(sqliteConnection, nil, nil)
    }

    /// A transaction that reads. A rollback ends it, so it changes nothing; `PRAGMA query_only` would do that too, but after
    /// it SQLite prepares every statement of the connection again.
    package func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN DEFERRED TRANSACTION", "ROLLBACK TRANSACTION", body)
    }

    /// A transaction, which an error undoes. GRDB's own prepares both of these statements each time.
    package func transaction<Value>(
        _ beginning: String, _ end: String, _ body: (Database) throws -> Value
    ) throws -> Value {
        try execute(cached: beginning)
        do {
            let value = try body(self)
            // Some errors, such as that of a full disk, end a transaction by themselves.
            guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            try execute(cached: end)
            return value
        } catch {
            try? rollback()
            throw error
        }
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    /// The first value of a query that is prepared once for the connection; nil where it has none, or a NULL.
    package static func fetchOne(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        var first: Self?
        var count = 0
        try db.step(cached: sql, arguments) { statement in
            count += 1
            if count == 1 { first = fromStatement(statement.sqliteStatement, atUncheckedIndex: 0) }
        }
        return first
    }

    /// The values of a query that is prepared once for the connection.
    package static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
