import Foundation
import GRDB

/// A row of the database. Each read checks the cell's type and range, because another program or damage may have changed the
/// file.
package struct StoredRow {
    private let columns: [String]
    private let cells: [DatabaseValue]
    private let table: String

    package static func one(
        _ db: Database, of table: String, sql: String, arguments: CachedArguments = []
    ) throws -> StoredRow? {
        try all(db, of: table, sql: sql, arguments: arguments).first
    }

    /// Returns all rows of a query. GRDB's own rows are not used, because their column lookup takes longer than most queries.
    package static func all(
        _ db: Database, of table: String, sql: String, arguments: CachedArguments = []
    ) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        try db.step(cached: sql, arguments) { statement in
            rows.append(StoredRow(statement.sqliteStatement, columns: statement.columnNames, table: table))
        }
        return rows
    }

    private init(_ statement: SQLiteStatement, columns: [String], table: String) {
        self.columns = columns
        self.table = table
        cells = columns.indices.map { DatabaseValue(sqliteStatement: statement, index: CInt($0)) }
    }

    private func cell(_ column: String) throws -> DatabaseValue {
        guard let index = columns.firstIndex(of: column) else {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "no such column: \(table).\(column)")
        }
        return cells[index]
    }

    /// - Throws: `InvalidCell` if the cell has another type or is out of range.
    package subscript<Value: StoredValue>(_ column: String) -> Value {
        get throws {
            let stored = try cell(column)
            guard let value = Value(stored: stored.storage) else { throw invalid(column, stored) }
            return value
        }
    }

    package subscript<Value: StoredValue & Comparable>(_ column: String, range: ClosedRange<Value>) -> Value {
        get throws {
            let value: Value = try self[column]
            guard range.contains(value) else {
                throw invalid(column, try cell(column))
            }
            return value
        }
    }

    package subscript<Value: RawRepresentable<String>>(case column: String) -> Value {
        get throws {
            let text: String = try self[column]
            guard let value = Value(rawValue: text) else { throw invalid(column, text.databaseValue) }
            return value
        }
    }

    private func invalid(_ column: String, _ value: DatabaseValue) -> InvalidCell {
        InvalidCell(table: table, column: column, value: "\(value)".shortened(to: InvalidCell.longestValue))
    }
}

/// The error for a cell with a value that no version of Tapline writes into the cell's column.
package struct InvalidCell: Error {
    static let longestValue = 40

    package let table: String
    package let column: String
    package let value: String
}

package protocol StoredValue {
    /// Nil if the cell has another type or is out of range.
    init?(stored: DatabaseValue.Storage)
}

extension Int64: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard case .int64(let number) = stored else { return nil }
        self = number
    }
}

extension UInt32: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard let number = Int64(stored: stored) else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        switch Int64(stored: stored) {
        case 0: self = false
        case 1: self = true
        case _: return nil
        }
    }
}

extension String: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard case .string(let text) = stored else { return nil }
        self = text
    }
}

extension [UInt8]: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard case .blob(let data) = stored else { return nil }
        self.init(data)
    }
}

extension Date: StoredValue {
    /// The years 1 to 9999, which every calendar can show, in milliseconds since 1970 (UTC).
    private static let storable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Milliseconds since 1970 (UTC), rounded. A date before the year 1 or after 9999 becomes the nearest limit.
    package var storedMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1_000).rounded()
        guard milliseconds > Double(Date.storable.lowerBound) else { return Date.storable.lowerBound }
        return milliseconds < Double(Date.storable.upperBound) ? Int64(milliseconds) : Date.storable.upperBound
    }

    package init(storedMilliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(storedMilliseconds) / 1_000)
    }

    package init?(stored: DatabaseValue.Storage) {
        guard let number = Int64(stored: stored), Date.storable.contains(number) else { return nil }
        self.init(storedMilliseconds: number)
    }
}

extension MessageName: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard let text = String(stored: stored), let name = try? MessageName(text) else { return nil }
        self = name
    }
}

extension FileLabel: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        guard let text = String(stored: stored), let label = try? FileLabel(text) else { return nil }
        self = label
    }
}

extension Optional: StoredValue where Wrapped: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        if case .null = stored {
            self = .none
        } else if let value = Wrapped(stored: stored) {
            self = value
        } else {
            return nil
        }
    }
}
