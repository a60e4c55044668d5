import Foundation
import GRDB
import WatchLink

/// The files in transfer. Each call is part of a transaction.
package enum TransferTable {
    static let definition = """
        -- The files in transfer to peers.
        CREATE TABLE transfer (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            transfer INTEGER NOT NULL UNIQUE CHECK (transfer <> 0),
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            label TEXT NOT NULL,
            path TEXT NOT NULL,
            length INTEGER NOT NULL CHECK (length >= 0),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            metadata BLOB,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'begun'))
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

    static func all(_ db: Database) throws -> [TransferRecord] {
        try StoredRow.all(db, of: "transfer", sql: "SELECT * FROM transfer ORDER BY number").map { row in
            TransferRecord(
                transfer: UInt64(bitPattern: try row["transfer"]),
                peer: PeerIdentity(column: try row["peer"]), label: try row["label"],
                path: try row["path"], length: UInt64(bitPattern: try row["length"]), hash: try row["hash"],
                metadata: try row["metadata"], state: try row[case: "state"])
        }
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

    static func remove(_ db: Database, _ transfer: UInt64) throws {
        try db.execute(
            cached: "DELETE FROM transfer WHERE transfer = ?", arguments: [Int64(bitPattern: transfer)])
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
