import Foundation
import GRDB
import WatchLink

/// The outgoing queue for each peer. Call these functions inside a transaction.
package enum QueueTable {
    static let mostDone = 1_024
    private static let trimStep = 64

    static let definition = """
        -- The queue of each peer: all waiting messages, and the newest finished ones.
        CREATE TABLE message (
            -- Negative for a message without a fate: programs see the other numbers.
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            -- Null once the message is finished.
            sequence INTEGER CHECK (sequence <> 0),
            -- Our epoch in which it was issued.
            origin INTEGER NOT NULL CHECK (origin BETWEEN 1 AND 4294967295),
            name TEXT NOT NULL,
            -- Null once the message is finished or withdrawn.
            payload BLOB,
            delivery TEXT NOT NULL DEFAULT 'queued' CHECK (delivery IN ('queued', 'complication')),
            -- Null for a message of the store's own program: it is removed once it is finished, or the queue is renumbered.
            fate TEXT CHECK (fate IN ('queued', 'applied', 'expired', 'rejected', 'tooLarge')),
            -- The peer's reason for a rejection, or the size of a message that is too large.
            detail INTEGER, "limit" INTEGER,
            UNIQUE (peer, sequence)
        ) STRICT;
        CREATE INDEX doneMessages ON message (number) WHERE sequence IS NULL;
        -- The complication messages to each peer on one day.
        CREATE TABLE budget (
            peer INTEGER PRIMARY KEY REFERENCES peer (identity) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day BETWEEN 0 AND 4294967295),
            spent INTEGER NOT NULL CHECK (spent >= 0)
        ) STRICT;
        """

    /// - Throws: `.queueFull` if `limit` messages wait already; `.unknownPeer`. After either error nothing has changed.
    package static func append(
        _ db: Database, _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?,
        atMost limit: Int
    ) throws -> IssuedMessage {
        let (sequence, epoch) = try PeerRow.issue(db, to: peer, atMost: limit)
        let charge = try payment.map { try BudgetTable.spend(db, $0, of: peer) } ?? .nothing
        try enter(db, message, sequence, of: epoch, to: peer, charge, .queued)
        let number = MessageNumber(rawValue: UInt64(bitPattern: db.lastInsertedRowID))
        return IssuedMessage(sequence: sequence, epoch: epoch, number: number, charge: charge)
    }

    /// Queues a message of the program that owns the store (`MessageStoreDelegate`). No limit applies. The message's
    /// `fate` is NULL, so `fate(of:)` and `outstanding()` do not return it.
    package static func feed(_ db: Database, _ message: OutboundMessage, to peer: PeerIdentity) throws {
        let (sequence, epoch) = try PeerRow.issue(db, to: peer, atMost: .max)
        try enter(db, message, sequence, of: epoch, to: peer, .nothing, nil)
    }

    private static func enter(
        _ db: Database, _ message: OutboundMessage, _ sequence: UInt32, of epoch: UInt32, to peer: PeerIdentity,
        _ charge: MessageCharge, _ fate: StoredFate?
    ) throws {
        try db.execute(
            cached: """
                INSERT INTO message (number, peer, sequence, origin, name, payload, delivery, fate)
                VALUES (iif(:fate IS NULL, (SELECT min(0, coalesce(min(number), 0)) - 1 FROM message), NULL),
                    :peer, :sequence, :epoch, :name, :payload, :delivery, :fate)
                """,
            arguments: [
                "peer": peer.column, "sequence": sequence, "epoch": epoch, "name": message.name.text,
                "payload": Data(message.payload), "delivery": charge.column, "fate": fate?.rawValue,
            ])
    }

    /// Records an acknowledgement. Returns the names of the rejected messages that `feed` had queued.
    static func finish(
        _ db: Database, _ acknowledgement: Acknowledgement, of peer: PeerIdentity
    ) throws -> [MessageName] {
        var fed: [MessageName] = []
        for index in 0..<acknowledgement.rejected.count {
            let rejection = acknowledgement.rejected[index]
            let row = try StoredRow.one(
                db, of: "message",
                sql: "SELECT name FROM message WHERE peer = ? AND sequence = ? AND fate IS NULL",
                arguments: [peer.column, rejection.sequence])
            if let row { fed.append(try row["name"]) }
            try db.execute(
                cached: """
                    UPDATE message SET fate = 'rejected', detail = ? WHERE peer = ? AND sequence = ? AND fate = 'queued'
                    """, arguments: [rejection.reason.rawValue, peer.column, rejection.sequence])
        }
        try db.execute(
            cached: "DELETE FROM message WHERE peer = ? AND sequence <= ? AND fate IS NULL",
            arguments: [peer.column, acknowledgement.queued])
        try db.execute(
            cached: """
                UPDATE message SET sequence = NULL, payload = NULL,
                    fate = CASE fate WHEN 'queued' THEN 'applied' ELSE fate END
                WHERE peer = ? AND sequence <= ?
                """, arguments: [peer.column, acknowledgement.queued])
        // Trim only when the sequences have passed a multiple of the step, because the search for the oldest is slow.
        if Int(acknowledgement.queued) % trimStep < db.changesCount { try trim(db) }
        return fed
    }

    private static func trim(_ db: Database) throws {
        try db.execute(
            cached: """
                DELETE FROM message WHERE sequence IS NULL AND number <= (
                    SELECT number FROM message WHERE sequence IS NULL ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [mostDone])
    }

    /// Removes the messages that `feed` queued, and renumbers the other messages from 1. Returns a dictionary from old
    /// to new sequences.
    static func renumber(_ db: Database, of peer: PeerIdentity) throws -> [UInt32: UInt32] {
        try db.execute(cached: "DELETE FROM message WHERE peer = ? AND fate IS NULL", arguments: [peer.column])
        let waiting = try StoredRow.all(
            db, of: "message",
            sql: "SELECT number, sequence FROM message WHERE peer = ? AND sequence IS NOT NULL ORDER BY number",
            arguments: [peer.column])
        var renumbered: [UInt32: UInt32] = [:]
        for (index, row) in waiting.enumerated() {
            renumbered[try row["sequence"]] = UInt32(index + 1)
            // The sequences are negative until all are set, because two messages must never share a sequence.
            try db.execute(
                cached: "UPDATE message SET sequence = ? WHERE number = ?",
                arguments: [-1 - index, try row["number"] as Int64])
        }
        try db.execute(
            cached: "UPDATE message SET sequence = -sequence WHERE peer = ? AND sequence < 0", arguments: [peer.column])
        return renumbered
    }
}

extension MessageStore {
    package func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage] {
        // Messages to a watch have no origin, because the watch's hello tells which epoch of the phone the watch knows.
        try read { db in
            try StoredRow.all(
                db, of: "message",
                sql: """
                    SELECT sequence, name, payload, delivery,
                        nullif(origin, (SELECT epoch FROM peer WHERE identity = message.peer)) AS origin
                    FROM message WHERE peer = ? AND sequence >= ? ORDER BY sequence LIMIT ?
                    """, arguments: [peer.column, sequence, most]
            ).map { row in
                let name: MessageName = try row["name"]
                let payload: [UInt8]? = try row["payload"]
                let origin: UInt32? = try row["origin"]
                let charge: MessageCharge = try row["delivery"]
                let content = payload.map { payload in
                    QueuedMessage.Content.message(OutboundMessage(name: name, payload: payload), charge)
                }
                return QueuedMessage(
                    sequence: try row["sequence"], origin: peer == .phone ? origin : nil,
                    content: content ?? .withdrawn(name))
            }.withoutGaps(from: sequence)
        }
    }

    package func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError) {
        try execute(
            """
            UPDATE message SET fate = 'tooLarge', detail = ?, "limit" = ?
            WHERE peer = ? AND sequence = ? AND fate = 'queued'
            """, [bytes, limit, peer.column, sequence])
    }

    package func outstanding() throws(WormholeError) -> [OutstandingMessage] {
        try read { db in
            try StoredRow.all(
                db, of: "message",
                sql: """
                    SELECT number, peer, name, delivery, length(payload) AS size FROM message
                    WHERE sequence IS NOT NULL AND fate = 'queued' ORDER BY number
                    """
            ).map { row in
                OutstandingMessage(
                    number: MessageNumber(rawValue: UInt64(bitPattern: try row["number"])),
                    peer: PeerIdentity(column: try row["peer"]), name: try row["name"],
                    delivery: (try row["delivery"] as MessageCharge).delivery, bytes: Int(try row["size"] as Int64))
            }
        }
    }

    package func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate? {
        try read { db in
            try StoredRow.one(
                db, of: "message",
                sql: "SELECT fate, detail, \"limit\" FROM message WHERE number = ? AND fate IS NOT NULL",
                arguments: [number.column]
            ).map { row in
                switch try row[case: "fate"] as QueueTable.StoredFate {
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
    }

    package func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace? {
        try write { db in
            let place = try place(of: number)
            if place != nil {
                try db.execute(
                    cached: "UPDATE message SET payload = NULL, fate = 'expired' WHERE number = ?",
                    arguments: [number.column])
            }
            return place
        }
    }

    package func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace? {
        try read { db in
            try StoredRow.one(
                db, of: "message",
                sql: """
                    SELECT peer, sequence, name FROM message
                    WHERE number = ? AND sequence IS NOT NULL AND fate = 'queued'
                    """, arguments: [number.column]
            ).map { row in
                QueuePlace(
                    peer: PeerIdentity(column: try row["peer"]), sequence: try row["sequence"], name: try row["name"])
            }
        }
    }
}

extension QueueTable {
    fileprivate enum StoredFate: String {
        case queued
        case applied
        case expired
        case rejected
        case tooLarge
    }
}

extension MessageNumber {
    fileprivate var column: Int64 { Int64(bitPattern: rawValue) }
}

/// A charge is stored in the `delivery` columns.
extension MessageCharge: StoredValue {
    package init?(stored: DatabaseValue.Storage) {
        switch String(stored: stored) {
        case "queued": self = .nothing
        case "complication": self = .complication
        case _: return nil
        }
    }

    var column: String { self == .nothing ? "queued" : "complication" }

    var delivery: Delivery { self == .nothing ? .queued : .complication }
}
