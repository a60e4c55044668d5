import Foundation
import GRDB

extension PhoneStore {
    /// The identity that watches know the host by: drawn at random for a new database, the same ever after, never zero.
    static func identity(_ db: Database) throws -> UInt64 {
        guard let host = try StoredRow.one(db, of: "host", sql: "SELECT identity FROM host") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let identity: Int64 = try host["identity"]
        return UInt64(bitPattern: identity)
    }

    /// The watches that ever connected, in the order of their first connections.
    package func watches() async throws(PhoneError) -> [WatchRecord] {
        try await read { db in
            let rows = try StoredRow.all(db, of: "watch", sql: "SELECT * FROM watch ORDER BY firstMetAt, identity")
            return try rows.map { row in
                let identity: Int64 = try row["identity"]
                let (issued, acknowledged): (UInt32, UInt32) = (
                    try row["queuedIssued"], try row["queuedAcknowledged"]
                )
                return WatchRecord(
                    identity: UInt64(bitPattern: identity), name: try row["name"],
                    waiting: Int(issued) - Int(acknowledged))
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
