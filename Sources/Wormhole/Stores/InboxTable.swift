import Foundation
import GRDB
import WatchLink

/// The queued messages of peers that no program has taken yet. Call these functions inside a transaction.
package enum InboxTable {
    static let definition = """
        -- Queued messages of peers that no program has taken yet.
        CREATE TABLE inbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL,
            name TEXT NOT NULL,
            payload BLOB NOT NULL,
            delivery TEXT NOT NULL CHECK (delivery IN ('queued', 'complication'))
        ) STRICT;
        """

    /// Adds a message that has arrived.
    ///
    /// - Parameter most: the most messages in the inbox.
    package static func enter(
        _ db: Database, _ name: MessageName, _ payload: [UInt8], of message: InboundMessage, atMost most: Int
    ) throws -> ApplyOutcome {
        guard try Int.fetchOne(db, cached: "SELECT count(*) FROM inbox") ?? 0 < most else { return .rejected(.noRoom) }
        try db.execute(
            cached: "INSERT INTO inbox (peer, name, payload, delivery) VALUES (?, ?, ?, ?)",
            arguments: [
                message.peer.column, name.text, Data(payload), StoredDelivery(message.charge).rawValue,
            ])
        return .applied
    }

    /// The messages after a number, oldest first.
    static func messages(_ db: Database, after number: UInt64) throws -> [KeptMessage] {
        try StoredRow.all(
            db, of: "inbox", sql: "SELECT * FROM inbox WHERE number > ? ORDER BY number",
            arguments: [Int64(clamping: number)]
        ).map { row in
            let delivery: StoredDelivery = try row[case: "delivery"]
            let message = HeardMessage(
                name: try row["name"], origin: .peer(PeerIdentity(column: try row["peer"])),
                delivery: delivery.delivery, payload: try row["payload"])
            return KeptMessage(number: UInt64(bitPattern: try row["number"]), message: message)
        }
    }

    /// Removes a message. A missing number changes nothing.
    static func remove(_ db: Database, _ number: UInt64) throws {
        try db.execute(cached: "DELETE FROM inbox WHERE number = ?", arguments: [Int64(clamping: number)])
    }
}
