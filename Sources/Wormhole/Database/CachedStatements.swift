import GRDB
import GRDBSQLite

// SQLite takes longer to prepare most of our statements than to run them, so each connection prepares a statement once.

extension Database {
    package func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try step(cached: sql, arguments) { _ in }
    }

    /// Calls SQLite directly, because GRDB's functions also notify observers, and there are none. `row` is called at each
    /// row.
    package func step(cached sql: String, _ arguments: StatementArguments, _ row: (Statement) -> Void) throws {
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.setArguments(arguments) }
        // A statement that has not reached its end keeps its transaction open.
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

    /// SQLite no longer reports to GRDB what each prepared statement reads and changes. Only observers need that.
    package func stopAuthorizing() {
        sqlite3_set_authorizer(sqliteConnection, nil, nil)
    }

    /// Ends with a rollback, so it changes nothing. `PRAGMA query_only` would do that too, but makes SQLite prepare all
    /// statements of the connection again.
    package func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN DEFERRED TRANSACTION", "ROLLBACK TRANSACTION", body)
    }

    /// GRDB's own function would prepare both statements each time.
    package func transaction<Value>(
        _ beginning: String, _ end: String, _ body: (Database) throws -> Value
    ) throws -> Value {
        try execute(cached: beginning)
        do {
            let value = try body(self)
            // Some errors, such as a full disk, make SQLite end the transaction itself.
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

    package static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
