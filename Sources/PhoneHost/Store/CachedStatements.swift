import GRDB

// SQLite takes longer to prepare most of our statements than to execute them, so each is prepared once for a connection.

extension Database {
    /// Executes a single statement, prepared once for the connection.
    func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// A transaction that reads. A rollback ends it, so it changes nothing; `PRAGMA query_only` would do that too, but after
    /// it SQLite prepares every statement of the connection again.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        try inTransaction(.deferred) {
            result = Result { try body(self) }
            return .rollback
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return try result.get()
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    /// The first value of a query that is prepared once for the connection; nil where it has none, or a NULL.
    static func fetchOne(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The values of a query that is prepared once for the connection.
    static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
