import Foundation
import GRDB
import WatchLink

/// The files in transfer. Call these functions inside a transaction.
package enum TransferTable {
    static let definition = """
        -- The files in transfer to peers, and the newest that have ended.
        CREATE TABLE transfer (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            transfer INTEGER NOT NULL UNIQUE CHECK (transfer <> 0),
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            label TEXT NOT NULL,
            path TEXT NOT NULL,
            length INTEGER NOT NULL CHECK (length >= 0),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            metadata BLOB,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'begun')),
            -- The final fate in CBOR; null while the file is in transfer.
            fate BLOB
        ) STRICT;
        -- The newest files that their peers need not send again.
        CREATE TABLE endedFile (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL,
            transfer INTEGER NOT NULL,
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            ending TEXT NOT NULL CHECK (ending IN ('stored', 'cancelled')),
            UNIQUE (peer, transfer, hash)
        ) STRICT;
        """

    /// The files in transfer, in the order in which they were added.
    static func all(_ db: Database) throws -> [TransferRecord] {
        try StoredRow.all(db, of: "transfer", sql: "SELECT * FROM transfer WHERE fate IS NULL ORDER BY number").map(
            record)
    }

    private static func record(_ row: StoredRow) throws -> TransferRecord {
        TransferRecord(
            transfer: UInt64(bitPattern: try row["transfer"]),
            peer: PeerIdentity(column: try row["peer"]), label: try row["label"],
            path: try row["path"], length: UInt64(bitPattern: try row["length"]), hash: try row["hash"],
            metadata: try row["metadata"], state: try row[case: "state"])
    }

    /// A file whose transfer has ended, and its fate; nil if there is none, or if it ended long ago.
    static func ended(_ db: Database, _ transfer: UInt64) throws -> (TransferRecord, MessageFate)? {
        try StoredRow.one(
            db, of: "transfer", sql: "SELECT * FROM transfer WHERE transfer = ? AND fate IS NOT NULL",
            arguments: [Int64(bitPattern: transfer)]
        ).map { row in (try record(row), try MessageDecoder().decode(MessageFate.self, from: row["fate"])) }
    }

    static func add(_ db: Database, _ record: TransferRecord) throws {
        try db.execute(
            cached: """
                INSERT INTO transfer (transfer, peer, label, path, length, hash, metadata, state)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(bitPattern: record.transfer), record.peer.column, record.label.text, record.path,
                Int64(bitPattern: record.length), Data(record.hash), record.metadata.map { Data($0) },
                record.state.rawValue,
            ])
    }

    static func begun(_ db: Database, _ transfer: UInt64) throws {
        try db.execute(
            cached: "UPDATE transfer SET state = 'begun' WHERE transfer = ?", arguments: [Int64(bitPattern: transfer)])
    }

    /// Ends a transfer, and removes the oldest ended ones.
    static func conclude(_ db: Database, _ transfer: UInt64, _ fate: MessageFate) throws {
        try db.execute(
            cached: "UPDATE transfer SET fate = ? WHERE transfer = ?",
            arguments: [Data(try MessageEncoder().encode(fate)), Int64(bitPattern: transfer)])
        try db.execute(
            cached: """
                DELETE FROM transfer WHERE fate IS NOT NULL AND number <= (
                    SELECT number FROM transfer WHERE fate IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [TransferLimits.mostEnded])
    }

    static func ending(_ db: Database, of file: FileOrigin) throws -> FileEnding? {
        try StoredRow.one(
            db, of: "endedFile", sql: "SELECT ending FROM endedFile WHERE peer = ? AND transfer = ? AND hash = ?",
            arguments: [file.peer.column, Int64(bitPattern: file.transfer), Data(file.hash)]
        ).map { row in try row[case: "ending"] }
    }

    static func end(_ db: Database, _ file: FileOrigin, _ ending: FileEnding) throws {
        try db.execute(
            cached: "INSERT OR REPLACE INTO endedFile (peer, transfer, hash, ending) VALUES (?, ?, ?, ?)",
            arguments: [file.peer.column, Int64(bitPattern: file.transfer), Data(file.hash), ending.rawValue])
        try db.execute(
            cached: "DELETE FROM endedFile WHERE number <= ?",
            arguments: [db.lastInsertedRowID - Int64(TransferLimits.mostEnded)])
    }
}
