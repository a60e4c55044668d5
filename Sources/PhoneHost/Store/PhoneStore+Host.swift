import Foundation
import GRDB

extension PhoneStore {
    /// What watches know the host by: drawn at random when the database was made, the same ever after, never zero.
    public func identity() async throws(PhoneError) -> UInt64 {
        try await read { db in
            guard let identity = try Int64.fetchOne(db, sql: "SELECT identity FROM host") else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return UInt64(bitPattern: identity)
        }
    }

    /// The watches that ever connected, in the order in which they did first.
    public func watches() async throws(PhoneError) -> [WatchRecord] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM watch ORDER BY firstMetAt, identity").map { row in
                let identity: Int64 = row["identity"]
                return WatchRecord(
                    identity: UInt64(bitPattern: identity), name: row["name"],
                    lastMet: Date(storedMilliseconds: row["lastMetAt"]),
                    waiting: (row["queuedIssued"] as Int) - (row["queuedAcknowledged"] as Int))
            }
        }
    }
}

/// A watch that connected at some time.
public struct WatchRecord: Equatable, Sendable {
    /// What it is known by.
    public var identity: UInt64
    /// What it calls itself; may be empty.
    public var name: String
    /// When it last connected.
    public var lastMet: Date
    /// How many queued messages it has not acknowledged.
    public var waiting: Int
}
