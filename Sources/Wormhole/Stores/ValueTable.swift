import Foundation
import GRDB
import HostSystem
import WatchLink

/// Reads and writes the tables of `.latest` values. Call these functions inside a transaction.
package enum ValueTable {
    /// If the newest revision is at least this number when the endpoint starts, the stored values are renumbered from 1. A
    /// revision therefore never exceeds 32 bits.
    static let lastRevision: UInt32 = 1 << 31

    /// Stores a new value that this side sends; a nil payload clears the name. Returns the value's revision, which is higher
    /// than `newestRevision` before the call.
    @discardableResult
    package static func replace(
        _ db: Database, _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws -> UInt32 {
        // A value for everyone replaces all values of the name. A value for one peer replaces only that peer's.
        let peer: Int64? =
            switch recipients {
            case .everyone: nil
            case .only(let one): one.column
            }
        try db.execute(
            cached: "DELETE FROM value WHERE name = :name AND (:peer IS NULL OR peer = :peer)",
            arguments: ["name": name.text, "peer": peer])
        let row = try StoredRow.one(
            db, of: "value", sql: "INSERT INTO value (name, peer, payload) VALUES (?, ?, ?) RETURNING revision",
            arguments: [name.text, peer, payload.map { Data($0) }])
        try deliver(db, name, payload)
        guard let revision: UInt32 = try row?["revision"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return revision
    }

    package static func published(_ db: Database, _ name: MessageName) throws -> [UInt8]? {
        try StoredRow.one(
            db, of: "value", sql: "SELECT payload FROM value WHERE name = ? AND peer IS NULL", arguments: [name.text])?[
                "payload"]
    }

    static func renumber(_ db: Database) throws {
        let revisions = try Int64.fetchAll(db, cached: "SELECT revision FROM value ORDER BY revision")
        for (index, revision) in revisions.enumerated() {
            try db.execute(
                cached: "UPDATE value SET revision = ? WHERE revision = ?", arguments: [index + 1, revision])
        }
        try db.execute(
            cached: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'value'", arguments: [revisions.count])
    }

    /// Returns the revision of the newest value for the peer, or the last revision that the peer has acknowledged if that is
    /// higher. Returns 0 if there is neither.
    static func issued(_ db: Database, to peer: PeerRow?, _ identity: PeerIdentity) throws -> UInt32 {
        let newest: UInt32? = try StoredRow.one(
            db, of: "value",
            sql: """
                SELECT revision FROM value WHERE peer IS NULL OR peer = ? ORDER BY revision DESC LIMIT 1
                """, arguments: [identity.column])?["revision"]
        return max(newest ?? 0, peer?.latestAcknowledged ?? 0)
    }

    /// Returns the highest revision issued in the present numbering (see `lastRevision`); 0 if there is none. A peer may have
    /// applied the value with this revision, even if the value has since been removed here.
    package static func newestRevision(_ db: Database) throws -> UInt32 {
        try StoredRow.one(db, of: "value", sql: "SELECT seq FROM sqlite_sequence WHERE name = 'value'")?["seq"] ?? 0
    }

    /// Applies a value that a peer has sent. If a restarted peer only repeats its old value, returns `.repeated` and applies
    /// nothing. If both sides send a value under one name at the same time, the phone's value wins on both sides.
    package static func take(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, of message: InboundMessage, _ row: PeerRow
    ) throws -> ArrivalOutcome {
        let isNew = try PassedValueTable.note(db, name, payload, revision: message.sequence, from: message.peer)
        guard isNew else { return .repeated }
        if try message.peer == .phone || !isUnderWay(db, name, to: row) { try accept(db, name, payload) }
        return .applied
    }

    private static func isUnderWay(_ db: Database, _ name: MessageName, to peer: PeerRow) throws -> Bool {
        try StoredRow.one(
            db, of: "value",
            sql: "SELECT revision FROM value WHERE name = ? AND (peer IS NULL OR peer = ?) AND revision > ?",
            arguments: [name.text, peer.identity.column, peer.latestAcknowledged]) != nil
    }

    /// Returns the names of this side's values that the peer confirms for the first time when it acknowledges `revision`.
    static func names(_ db: Database, to peer: PeerRow, upTo revision: UInt32) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT name FROM value WHERE (peer IS NULL OR peer = ?) AND revision > ? AND revision <= ?",
            arguments: [peer.identity.column, peer.latestAcknowledged, revision])
    }

    /// Stores a peer's value under a name. Deletes this side's values under that name, so that this side no longer sends them.
    private static func accept(_ db: Database, _ name: MessageName, _ payload: [UInt8]?) throws {
        try db.execute(cached: "DELETE FROM value WHERE name = ?", arguments: [name.text])
        try deliver(db, name, payload)
    }

    private static func deliver(_ db: Database, _ name: MessageName, _ payload: [UInt8]?) throws {
        if let payload {
            try db.execute(
                cached: "INSERT OR REPLACE INTO mailbox (name, payload) VALUES (?, ?)",
                arguments: [name.text, Data(payload)])
        } else {
            try db.execute(cached: "DELETE FROM mailbox WHERE name = ?", arguments: [name.text])
        }
    }
}

extension MessageStore {
    package func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue? {
        try read { db in
            try StoredRow.one(
                db, of: "value",
                sql: """
                    SELECT revision, name, payload FROM value
                    WHERE revision > ? AND (peer IS NULL OR peer = ?) ORDER BY revision LIMIT 1
                    """, arguments: [revision, peer.column]
            ).map { RevisedValue(revision: try $0["revision"], name: try $0["name"], payload: try $0["payload"]) }
        }
    }

    package func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]? {
        try read { db in
            try StoredRow.one(
                db, of: "mailbox", sql: "SELECT payload FROM mailbox WHERE name = ?", arguments: [name.text])?[
                    "payload"]
        }
    }

    package func namesWithValue() throws(WormholeError) -> [MessageName] {
        try read {
            try StoredRow.all($0, of: "mailbox", sql: "SELECT name FROM mailbox").map { try $0["name"] }.sorted()
        }
    }
}

/// The last `.latest` value that each peer sent under each name. Call these functions inside a transaction.
///
/// A restarted peer sends all its values again. A value that has not changed is older than the restart. It must not replace a
/// newer value from another peer or from this side.
package enum PassedValueTable {
    static let definition = """
        -- The last value of each peer under each name: its SHA-256, or no bytes for a cleared name.
        CREATE TABLE passedValue (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            -- A restarted peer may send the value again with a revision up to this one; 0 if it may not.
            repeatable INTEGER NOT NULL DEFAULT 0,
            UNIQUE (peer, name)
        ) STRICT;
        """

    /// The maximum number of names to remember for one peer. If the peer repeats a value under a forgotten name, the value
    /// counts as new.
    package static let mostNames = 64

    /// Records a peer's value, and returns whether the value is new. Returns false if a restarted peer only repeats its last
    /// value under the name. `revision` is the value's revision in the peer's present run.
    static func note(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, revision: UInt32, from peer: PeerIdentity
    ) throws -> Bool {
        let digest = payload.map { SHA256.digest(of: $0) } ?? []
        let before = try StoredRow.one(
            db, of: "passedValue", sql: "SELECT digest, repeatable FROM passedValue WHERE peer = ? AND name = ?",
            arguments: [peer.column, name.text])
        try db.execute(
            cached: "INSERT OR REPLACE INTO passedValue (peer, name, digest) VALUES (?, ?, ?)",
            arguments: [peer.column, name.text, Data(digest)])
        guard let before else {
            try dropOldest(db, of: peer)
            return true
        }
        let (last, repeatable): ([UInt8], UInt32) = (try before["digest"], try before["repeatable"])
        return last != digest || revision > repeatable
    }

    private static func dropOldest(_ db: Database, of peer: PeerIdentity) throws {
        try db.execute(
            cached: """
                DELETE FROM passedValue WHERE peer = :peer AND number <= (
                    SELECT number FROM passedValue WHERE peer = :peer ORDER BY number DESC LIMIT 1 OFFSET :most)
                """, arguments: ["peer": peer.column, "most": mostNames])
    }

    /// Prepares for a new run of a peer, which sends all its values again.
    ///
    /// In the new run, a value counts as new if its content has changed, or if its revision is above `applied` or above
    /// `issued`. Both numbers are needed, because some peers restart their revisions from 1 in each run, and other peers
    /// continue their revisions.
    /// - Parameters:
    ///   - applied: the last revision that this side has applied from the peer's earlier run.
    ///   - issued: the highest revision that the peer has issued, as its hello says.
    static func begin(_ db: Database, of peer: PeerIdentity, applied: UInt32, issued: UInt32) throws {
        // If the peer did not send a value in the earlier run, the value keeps its `repeatable` from the run before that.
        try db.execute(
            cached: """
                UPDATE passedValue SET repeatable = min(CASE repeatable WHEN 0 THEN :applied ELSE repeatable END, :issued)
                WHERE peer = :peer
                """, arguments: ["applied": applied, "issued": issued, "peer": peer.column])
    }

    /// Forgets the peer's values under these names, because the peer has replaced them with this side's values.
    static func replaced(_ db: Database, _ names: [String], at peer: PeerIdentity) throws {
        for name in names {
            try db.execute(
                cached: "DELETE FROM passedValue WHERE peer = ? AND name = ?", arguments: [peer.column, name])
        }
    }
}
