import GRDB
import Wormhole

extension Database {
    /// A transaction that may change everything.
    ///
    /// - Parameter logMark: sixty-four random bits, for the mark of a new log.
    func writing<Value>(
        to file: MarkedFile, _ logMark: () -> UInt64, _ body: (Database) throws -> Value
    ) throws -> Value {
        try transaction("BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION") { db in
            try db.markTransaction(of: file, logMark)
            return try body(db)
        }
    }
}
