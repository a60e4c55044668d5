import Foundation
import GRDB
import WatchLink

/// The files that are on their way, as parts of a transaction.
package enum TransferTable {
    static let definition = definition(peer: "INTEGER NOT NULL")

    /// The table, in a database whose peers are in the column `identity` of another, with which their files go.
    package static func definition(peers: String) -> String {
        definition(peer: "INTEGER NOT NULL REFERENCES \(peers) (identity) ON DELETE CASCADE")
    }

    private static func definition(peer: String) -> String {
        """
        -- The files that are on their way to peers.
        CREATE TABLE transfer (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            transfer INTEGER NOT NULL UNIQUE CHECK (transfer <> 0),
            peer \(peer),
            label TEXT NOT NULL,
            path TEXT NOT NULL,
            length INTEGER NOT NULL CHECK (length >= 0),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            metadata BLOB,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'begun')),
            -- Whom the file belongs to: a `FileOwner`.
            owner TEXT NOT NULL CHECK (owner IN ('sender', 'transfer'))
        ) STRICT;
        """
    }

    /// The paths of files for a peer that belong to their transfers.
    package static func ownFiles(_ db: Database, of peer: PeerIdentity) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT path FROM transfer WHERE peer = ? AND owner = 'transfer'", arguments: [peer.column])
    }

    package static func all(_ db: Database) throws -> [TransferRecord] {
        try StoredRow.all(db, of: "transfer", sql: "SELECT * FROM transfer ORDER BY number").map { row in
            let label: String = try row["label"]
            let state: StoredState = try row[case: "state"]
            return TransferRecord(
                transfer: UInt64(bitPattern: try row["transfer"]),
                peer: PeerIdentity(rawValue: UInt64(bitPattern: try row["peer"])), label: try FileLabel(label),
                path: try row["path"], length: UInt64(bitPattern: try row["length"]), hash: try row["hash"],
                metadata: try row["metadata"], owner: try row[case: "owner"], state: state.state)
        }
    }

    package static func add(_ db: Database, _ record: TransferRecord) throws {
        try db.execute(
            cached: """
                INSERT INTO transfer (transfer, peer, label, path, length, hash, metadata, state, owner)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Int64(bitPattern: record.transfer), record.peer.column, record.label.text, record.path,
                Int64(bitPattern: record.length), Data(record.hash), record.metadata.map { Data($0) },
                StoredState(record.state).rawValue, record.owner.rawValue,
            ])
    }

    package static func begun(_ db: Database, _ transfer: UInt64) throws {
        try db.execute(
            cached: "UPDATE transfer SET state = 'begun' WHERE transfer = ?", arguments: [Int64(bitPattern: transfer)])
    }

    package static func remove(_ db: Database, _ transfer: UInt64) throws {
        try db.execute(
            cached: "DELETE FROM transfer WHERE transfer = ?", arguments: [Int64(bitPattern: transfer)])
    }

    /// The values of the column `transfer.state`.
    private enum StoredState: String {
        case waiting
        case begun

        init(_ state: TransferRecord.State) {
            switch state {
            case .waiting: self = .waiting
            case .begun: self = .begun
            }
        }

        var state: TransferRecord.State {
            switch self {
            case .waiting: .waiting
            case .begun: .begun
            }
        }
    }
}

extension MessageStore: KeepingTransfers {
    package func transfers() async throws(WormholeError) -> [TransferRecord] {
        try await transactions.read(TransferTable.all)
    }

    package func add(_ record: TransferRecord) async throws(WormholeError) {
        try await transactions.write { try TransferTable.add($0, record) }
    }

    package func begun(_ transfer: UInt64) async throws(WormholeError) {
        try await transactions.write { try TransferTable.begun($0, transfer) }
    }

    package func remove(_ transfer: UInt64) async throws(WormholeError) {
        try await transactions.write { try TransferTable.remove($0, transfer) }
    }
}
