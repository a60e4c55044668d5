import Foundation
import GRDB
import GRDBSQLite

// SQLite takes longer to prepare most of our statements than to run them, so each connection prepares a statement once.

extension Database {
    package func execute(cached sql: String, arguments: CachedArguments = []) throws {
        try step(cached: sql, arguments) { _ in }
    }

    /// Runs a cached statement, and calls `row` for each row of its result. It calls SQLite directly, because GRDB would also
    /// notify observers, and there are none.
    package func step(cached sql: String, _ arguments: CachedArguments, _ row: (Statement) -> Void) throws {
        let statement = try cachedStatement(sql: sql)
        try arguments.bind(to: statement.sqliteStatement)
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

    /// Removes GRDB's authorizer callback. While SQLite prepares a statement, it reports to this callback what the statement
    /// reads and changes. Only observers need these reports.
    package func stopAuthorizing() {
        sqlite3_set_authorizer(sqliteConnection, nil, nil)
    }

    /// Runs `body` in a transaction that ends with a rollback, so `body` changes nothing. `PRAGMA query_only` would also
    /// prevent changes, but would make SQLite prepare all statements of the connection again.
    package func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try transaction("BEGIN DEFERRED TRANSACTION", "ROLLBACK TRANSACTION", body)
    }

    /// Runs the statement `beginning`, then `body`, then the statement `end`. If `body` or `end` fails, rolls back. GRDB's
    /// own function would prepare both statements each time.
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
        _ db: Database, cached sql: String, arguments: CachedArguments = []
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
        _ db: Database, cached sql: String, arguments: CachedArguments = []
    ) throws -> [Self] {
        var values: [Self] = []
        try db.step(cached: sql, arguments) { statement in
            if let value = fromStatement(statement.sqliteStatement, atUncheckedIndex: 0) { values.append(value) }
        }
        return values
    }
}

/// The arguments of a cached statement, in order or by name. This type replaces GRDB's `StatementArguments`, because GRDB takes
/// longer to bind its arguments than SQLite takes to run a short statement.
package struct CachedArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    private let values: [(name: String?, value: DatabaseValue)]

    package init(_ values: [(any DatabaseValueConvertible)?]) {
        self.values = values.map { (nil, $0?.databaseValue ?? .null) }
    }

    package init(arrayLiteral values: (any DatabaseValueConvertible)?...) { self.init(values) }

    package init(dictionaryLiteral pairs: (String, (any DatabaseValueConvertible)?)...) {
        values = pairs.map { (":\($0)", $1?.databaseValue ?? .null) }
    }

    fileprivate func bind(to statement: SQLiteStatement) throws {
        for (index, argument) in values.enumerated() {
            let place = argument.name.map { sqlite3_bind_parameter_index(statement, $0) } ?? CInt(index + 1)
            let code = CachedArguments.bind(argument.value, to: statement, at: place)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }

    /// Tells SQLite to copy the bytes of a text or blob, because they may be gone after the call.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)  // SQLITE_TRANSIENT, a macro that Swift does not import.
    }

    private static func bind(_ value: DatabaseValue, to statement: SQLiteStatement, at place: CInt) -> CInt {
        switch value.storage {
        case .null: sqlite3_bind_null(statement, place)
        case .int64(let number): sqlite3_bind_int64(statement, place, number)
        case .double(let number): sqlite3_bind_double(statement, place, number)
        case .string(let text):
            sqlite3_bind_text(statement, place, text, CInt(text.utf8.count), transient)
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, place, 0)
                    : sqlite3_bind_blob(statement, place, bytes.baseAddress, CInt(bytes.count), transient)
            }
        }
    }
}
