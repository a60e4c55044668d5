import Foundation
import GRDB
import WatchLink

/// The messages that were passed by queued, as parts of a transaction: the table `message` of a store, which numbers each
/// peer's queue itself.
package enum QueueTable {
    /// The most messages that are done and whose fate can still be asked for.
    static let mostDone = 1_024
    /// How many more may be done before the oldest are forgotten.
    private static let trimStep = 64

    /// The table, in a database whose peers are in the column `identity` of another.
    package static func definition(peers: String) -> String {
        """
        -- What was passed by queued: all that waits, and the newest that are done.
        CREATE TABLE message (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES \(peers) (identity) ON DELETE CASCADE,
            -- Null once the message is done.
            sequence INTEGER CHECK (sequence <> 0),
            name TEXT NOT NULL,
            -- Null for one that is done or was taken back.
            payload BLOB,
            delivery TEXT NOT NULL DEFAULT 'queued' CHECK (delivery IN ('queued', 'complication')),
            fate TEXT NOT NULL DEFAULT 'queued'
                CHECK (fate IN ('queued', 'applied', 'expired', 'rejected', 'tooLarge')),
            -- Why the peer has rejected it; its size, where that is too large.
            detail INTEGER, "limit" INTEGER,
            UNIQUE (peer, sequence)
        ) STRICT;
        CREATE INDEX doneMessages ON message (number) WHERE sequence IS NULL;
        -- The complication messages of a day to each peer.
        CREATE TABLE budget (
            peer INTEGER PRIMARY KEY REFERENCES \(peers) (identity) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day BETWEEN 0 AND 4294967295),
            spent INTEGER NOT NULL CHECK (spent >= 0)
        ) STRICT;
        """
    }

    /// Enters a message under the next sequence of a peer's queue, in the epoch that its stream has.
    package static func enter(
        _ db: Database, _ message: OutboundMessage, _ sequence: UInt32, of epoch: UInt32, to peer: PeerIdentity,
        paying payment: ComplicationPayment?
    ) throws -> IssuedMessage {
        let charge = try payment.map { try BudgetTable.spend(db, $0, of: peer) } ?? .nothing
        try db.execute(
            cached: "INSERT INTO message (peer, sequence, name, payload, delivery) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                peer.column, sequence, message.name.text, Data(message.payload), StoredDelivery(charge).rawValue,
            ])
        let number = MessageNumber(rawValue: UInt64(bitPattern: db.lastInsertedRowID))
        return IssuedMessage(sequence: sequence, of: epoch, number: number, charge: charge)
    }

    /// The messages of a peer's queue from a sequence on, in order: `most` of them at most. What another table numbers in between
    /// is missing.
    package static func messages(
        _ db: Database, to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws -> [QueuedMessage] {
        try StoredRow.all(
            db, of: "message",
            sql: """
                SELECT sequence, name, payload, delivery FROM message WHERE peer = ? AND sequence >= ?
                ORDER BY sequence LIMIT ?
                """, arguments: [peer.column, sequence, most]
        ).map { row in
            let name: MessageName = try row["name"]
            let payload: [UInt8]? = try row["payload"]
            let delivery: StoredDelivery = try row[case: "delivery"]
            let content = payload.map { payload in
                QueuedMessage.Content.message(OutboundMessage(name: name, payload: payload), delivery.charge)
            }
            return QueuedMessage(sequence: try row["sequence"], content: content ?? .withdrawn(name))
        }
    }

    /// The peer is done with the messages up to this one, and has rejected some of them.
    package static func finish(_ db: Database, _ acknowledgement: Acknowledgement, of peer: PeerIdentity) throws {
        for index in 0..<acknowledgement.rejected.count {
            let rejection = acknowledgement.rejected[index]
            try db.execute(
                cached: """
                    UPDATE message SET fate = 'rejected', detail = ? WHERE peer = ? AND sequence = ? AND fate = 'queued'
                    """, arguments: [rejection.reason.rawValue, peer.column, rejection.sequence])
        }
        try db.execute(
            cached: """
                UPDATE message SET sequence = NULL, payload = NULL,
                    fate = CASE fate WHEN 'queued' THEN 'applied' ELSE fate END
                WHERE peer = ? AND sequence <= ?
                """, arguments: [peer.column, acknowledgement.queued])
        // Where these have passed a multiple of the step: to find the oldest that stays takes longer than all else here.
        if Int(acknowledgement.queued) % trimStep < db.changesCount { try trim(db) }
    }

    /// Forgets those that were done before the newest.
    private static func trim(_ db: Database) throws {
        try db.execute(
            cached: """
                DELETE FROM message WHERE sequence IS NULL AND number <= (
                    SELECT number FROM message WHERE sequence IS NULL ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [mostDone])
    }

    /// Gives what waits for a peer new sequences, in its order.
    package static func renumber(_ db: Database, of peer: PeerIdentity, _ next: () throws -> UInt32) throws {
        let waiting = try StoredRow.all(
            db, of: "message",
            sql: "SELECT number FROM message WHERE peer = ? AND sequence IS NOT NULL ORDER BY number",
            arguments: [peer.column])
        for row in waiting {
            // Below zero until all have one: no two messages may have one sequence, at no moment.
            try db.execute(
                cached: "UPDATE message SET sequence = ? WHERE number = ?",
                arguments: [-Int64(try next()), try row["number"] as Int64])
        }
        try db.execute(
            cached: "UPDATE message SET sequence = -sequence WHERE peer = ? AND sequence < 0", arguments: [peer.column])
    }

    /// The peer accepts only smaller ones: its sequence goes out alone.
    package static func noteTooLarge(
        _ db: Database, _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws {
        try db.execute(
            cached: """
                UPDATE message SET fate = 'tooLarge', detail = ?, "limit" = ?
                WHERE peer = ? AND sequence = ? AND fate = 'queued'
                """, arguments: [bytes, limit, peer.column, sequence])
    }
}

// By their numbers.
extension QueueTable {
    /// What waits, the oldest first.
    package static func outstanding(_ db: Database) throws -> [OutstandingMessage] {
        try StoredRow.all(
            db, of: "message",
            sql: """
                SELECT number, peer, name, delivery, length(payload) AS size FROM message
                WHERE sequence IS NOT NULL AND fate = 'queued' ORDER BY number
                """
        ).map { row in
            let delivery: StoredDelivery = try row[case: "delivery"]
            return OutstandingMessage(
                number: try MessageNumber(row), peer: PeerIdentity(rawValue: UInt64(bitPattern: try row["peer"])),
                name: try row["name"], delivery: delivery.delivery, bytes: Int(try row["size"] as Int64))
        }
    }

    /// The fate of a message; nil where none has this number, or it was done long ago.
    package static func fate(_ db: Database, of number: MessageNumber) throws -> MessageFate? {
        try StoredRow.one(
            db, of: "message", sql: "SELECT fate, detail, \"limit\" FROM message WHERE number = ?",
            arguments: [number.column]
        ).map { row in
            switch try row[case: "fate"] as StoredFate {
            case .queued: .queued
            case .applied: .applied
            case .expired: .expired
            case .rejected:
                .failed(.rejected(RejectionReason(rawValue: UInt8(clamping: try row["detail"] as Int64))))
            case .tooLarge:
                .failed(.tooLarge(bytes: Int(try row["detail"] as Int64), limit: Int(try row["limit"] as Int64)))
            }
        }
    }

    /// Takes a message back: its sequence goes out alone.
    ///
    /// - Returns: where it was in the queue; nil where it does not wait any more.
    package static func withdraw(_ db: Database, _ number: MessageNumber) throws -> QueuePlace? {
        let place = try place(db, of: number)
        if place != nil {
            try db.execute(
                cached: "UPDATE message SET payload = NULL, fate = 'expired' WHERE number = ?",
                arguments: [number.column])
        }
        return place
    }

    /// Where a message waits; nil where it does not.
    package static func place(_ db: Database, of number: MessageNumber) throws -> QueuePlace? {
        try StoredRow.one(
            db, of: "message",
            sql: """
                SELECT peer, sequence, name FROM message WHERE number = ? AND sequence IS NOT NULL AND fate = 'queued'
                """, arguments: [number.column]
        ).map { row in
            QueuePlace(
                peer: PeerIdentity(rawValue: UInt64(bitPattern: try row["peer"])), sequence: try row["sequence"],
                name: try row["name"])
        }
    }

    /// The values of the column `message.fate`.
    private enum StoredFate: String {
        case queued
        case applied
        case expired
        case rejected
        case tooLarge
    }
}

extension MessageNumber {
    fileprivate var column: Int64 { Int64(bitPattern: rawValue) }

    fileprivate init(_ row: StoredRow) throws {
        self.init(rawValue: UInt64(bitPattern: try row["number"]))
    }
}
