import Foundation
import GRDB

extension PhoneStore {
    /// The identity that watches know the host by: drawn at random for a new database, the same ever after, never zero.
    static func identity(_ db: Database) throws -> UInt64 {
        guard let identity = try Int64.fetchOne(db, sql: "SELECT identity FROM host") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return UInt64(bitPattern: identity)
    }

    /// The watches that ever connected, in the order of their first connections.
    package func watches() async throws(PhoneError) -> [WatchRecord] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM watch ORDER BY firstMetAt, identity").map { row in
                let identity: Int64 = row["identity"]
                return WatchRecord(
                    identity: UInt64(bitPattern: identity), name: row["name"],
                    waiting: (row["queuedIssued"] as Int) - (row["queuedAcknowledged"] as Int))
            }
        }
    }
}

/// A watch that connected at some time.
package struct WatchRecord: Equatable, Sendable {
    package var identity: UInt64
    /// Its own name for itself; may be empty.
    package var name: String
    /// The number of queued messages that it has not acknowledged.
    package var waiting: Int
}
