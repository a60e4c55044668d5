import Foundation
import GRDB
import WatchLink

extension StoreSchema {
    static let transfers = """
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
}

extension MessageStore {
    package func transfers() throws(WormholeError) -> [TransferRecord] {
        try read { db in
            try StoredRow.all(db, of: "transfer", sql: "SELECT * FROM transfer WHERE fate IS NULL ORDER BY number")
                .map(TransferRecord.init)
        }
    }

    package func ended(_ transfer: UInt64) throws(WormholeError) -> (TransferRecord, MessageFate)? {
        try read { db in
            try StoredRow.one(
                db, of: "transfer", sql: "SELECT * FROM transfer WHERE transfer = ? AND fate IS NOT NULL",
                arguments: [Int64(bitPattern: transfer)]
            ).map { row in
                (try TransferRecord(row), try MessageDecoder().decode(MessageFate.self, from: row["fate"]))
            }
        }
    }

    package func add(_ record: TransferRecord) throws(WormholeError) {
        try execute(
            """
            INSERT INTO transfer (transfer, peer, label, path, length, hash, metadata, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                Int64(bitPattern: record.transfer), record.peer.column, record.label.text, record.path,
                Int64(bitPattern: record.length), Data(record.hash), record.metadata.map { Data($0) },
                record.state.rawValue,
            ])
    }

    package func begun(_ transfer: UInt64) throws(WormholeError) {
        try execute("UPDATE transfer SET state = 'begun' WHERE transfer = ?", [Int64(bitPattern: transfer)])
    }

    package func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError) {
        try write { db in
            try db.execute(
                cached: "UPDATE transfer SET fate = ? WHERE transfer = ?",
                arguments: [Data(try MessageEncoder().encode(fate)), Int64(bitPattern: transfer)])
            try db.execute(
                cached: """
                    DELETE FROM transfer WHERE fate IS NOT NULL AND number <= (
                        SELECT number FROM transfer WHERE fate IS NOT NULL ORDER BY number DESC LIMIT 1 OFFSET ?)
                    """, arguments: [TransferLimits.mostEnded])
        }
    }

    package func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding? {
        try read { db in
            try StoredRow.one(
                db, of: "endedFile", sql: "SELECT ending FROM endedFile WHERE peer = ? AND transfer = ? AND hash = ?",
                arguments: [file.peer.column, Int64(bitPattern: file.transfer), Data(file.hash)]
            ).map { row in try row[case: "ending"] }
        }
    }

    package func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError) {
        try write { db in
            try db.execute(
                cached: "INSERT OR REPLACE INTO endedFile (peer, transfer, hash, ending) VALUES (?, ?, ?, ?)",
                arguments: [file.peer.column, Int64(bitPattern: file.transfer), Data(file.hash), ending.rawValue])
            try db.execute(
                cached: "DELETE FROM endedFile WHERE number <= ?",
                arguments: [db.lastInsertedRowID - Int64(TransferLimits.mostEnded)])
        }
    }
}

extension TransferRecord {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            transfer: UInt64(bitPattern: try row["transfer"]),
            peer: PeerIdentity(column: try row["peer"]), label: try row["label"],
            path: try row["path"], length: UInt64(bitPattern: try row["length"]), hash: try row["hash"],
            metadata: try row["metadata"], state: try row[case: "state"])
    }
}
