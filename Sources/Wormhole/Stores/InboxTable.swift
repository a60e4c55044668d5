import Foundation
import GRDB
import WatchLink

/// Queued messages that have arrived from peers, and wait until a program takes them. Call these functions inside a transaction.
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

    /// Adds a message, or rejects it if the inbox is full.
    package static func enter(
        _ db: Database, _ name: MessageName, _ payload: [UInt8], of message: InboundMessage, atMost most: Int
    ) throws -> ApplyOutcome {
        guard try Int.fetchOne(db, cached: "SELECT count(*) FROM inbox") ?? 0 < most else { return .rejected(.noRoom) }
        try db.execute(
            cached: "INSERT INTO inbox (peer, name, payload, delivery) VALUES (?, ?, ?, ?)",
            arguments: [message.peer.column, name.text, Data(payload), message.charge.column])
        return .applied
    }
}

extension MessageStore {
    package func kept(after number: UInt64 = 0) throws(WormholeError) -> [KeptMessage] {
        try read { db in
            try StoredRow.all(
                db, of: "inbox", sql: "SELECT * FROM inbox WHERE number > ? ORDER BY number",
                arguments: [Int64(clamping: number)]
            ).map { row in
                let message = HeardMessage(
                    name: try row["name"], origin: .peer(PeerIdentity(column: try row["peer"])),
                    delivery: (try row["delivery"] as MessageCharge).delivery, payload: try row["payload"])
                return KeptMessage(number: UInt64(bitPattern: try row["number"]), message: message)
            }
        }
    }

    package func drop(_ number: UInt64) throws(WormholeError) {
        try execute("DELETE FROM inbox WHERE number = ?", [Int64(clamping: number)])
    }
}
