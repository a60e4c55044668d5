import Foundation
import GRDB
import HostSystem
import WatchLink

/// What each peer has passed last under each name by `.latest`, as parts of a transaction.
///
/// A peer that has restarted sends all its values again. One that is unchanged was passed before the restart, so it does not
/// replace what another peer or this side has passed since.
package enum PassedValueTable {
    /// The table.
    static let definition = """
        -- What each peer has passed last under each name: the SHA-256 of the value, no bytes for a cleared name.
        CREATE TABLE passedValue (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            -- The peer has restarted, and may send the value again with a revision up to this one; 0 where it may not.
            repeatable INTEGER NOT NULL DEFAULT 0,
            UNIQUE (peer, name)
        ) STRICT;
        """

    /// The most names that are remembered of one peer. Of more the ones that it has passed longest ago are forgotten: their values
    /// are new when they are sent again.
    package static let mostNames = 64

    /// What a value is that has arrived.
    enum Arrival {
        /// It was passed since the last one of its peer under its name.
        case new
        /// It is the last one of its peer under its name, which a restarted peer sends again.
        case repeated
    }

    /// Notes that a peer's value has arrived, nil for a cleared name.
    ///
    /// - Parameter revision: its revision in the peer's present run.
    static func note(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, revision: UInt32, from peer: PeerIdentity
    ) throws -> Arrival {
        let digest = payload.map { SHA256.digest(of: $0) } ?? []
        let before = try StoredRow.one(
            db, of: "passedValue", sql: "SELECT digest, repeatable FROM passedValue WHERE peer = ? AND name = ?",
            arguments: [peer.column, name.text])
        try db.execute(
            cached: "INSERT OR REPLACE INTO passedValue (peer, name, digest) VALUES (?, ?, ?)",
            arguments: [peer.column, name.text, Data(digest)])
        guard let before else {
            try dropOldest(db, of: peer)
            return .new
        }
        let (last, repeatable): ([UInt8], UInt32) = (try before["digest"], try before["repeatable"])
        return last == digest && revision <= repeatable ? .repeated : .new
    }

    private static func dropOldest(_ db: Database, of peer: PeerIdentity) throws {
        try db.execute(
            cached: """
                DELETE FROM passedValue WHERE peer = :peer AND number <= (
                    SELECT number FROM passedValue WHERE peer = :peer ORDER BY number DESC LIMIT 1 OFFSET :most)
                """, arguments: ["peer": peer.column, "most": mostNames])
    }

    /// A peer has begun another run, in which it sends all its values again.
    ///
    /// Some peers number them from 1 in each run, others go on where they were. What has a revision above all that were applied
    /// before, or above all that the peer had when it said hello, was passed since.
    ///
    /// - Parameters:
    ///   - applied: the last revision that was applied of the run before.
    ///   - issued: the last revision of the present run, by the peer's hello.
    static func begin(_ db: Database, of peer: PeerIdentity, applied: UInt32, issued: UInt32) throws {
        // One that the run before has not sent again has the bound from before.
        try db.execute(
            cached: """
                UPDATE passedValue SET repeatable = min(CASE repeatable WHEN 0 THEN :applied ELSE repeatable END, :issued)
                WHERE peer = :peer
                """, arguments: ["applied": applied, "issued": issued, "peer": peer.column])
    }

    /// A peer has values of ours under these names now, so it does not send its own ones again.
    static func replaced(_ db: Database, _ names: [String], at peer: PeerIdentity) throws {
        for name in names {
            try db.execute(
                cached: "DELETE FROM passedValue WHERE peer = ? AND name = ?", arguments: [peer.column, name])
        }
    }
}
