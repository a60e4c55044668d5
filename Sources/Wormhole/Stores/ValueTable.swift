import Foundation
import GRDB
import HostSystem
import WatchLink

/// The latest values. Call these functions inside a transaction.
package enum ValueTable {
    /// Once the revisions have reached this number, the endpoint's next run restarts them from 1, so that they never run out.
    static let lastRevision: UInt32 = 1 << 31

    /// Stores a value; a nil payload clears the name. Returns the revision, which is higher than all earlier ones.
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

    /// The revision that a peer will have applied once it has all values.
    static func issued(_ db: Database, to peer: PeerRow?, _ identity: PeerIdentity) throws -> UInt32 {
        let newest: UInt32? = try StoredRow.one(
            db, of: "value",
            sql: """
                SELECT revision FROM value WHERE peer IS NULL OR peer = ? ORDER BY revision DESC LIMIT 1
                """, arguments: [identity.column])?["revision"]
        return max(newest ?? 0, peer?.latestAcknowledged ?? 0)
    }

    /// The highest revision that was ever issued. A peer may have applied that value, even if it was removed since.
    package static func newestRevision(_ db: Database) throws -> UInt32 {
        try StoredRow.one(db, of: "value", sql: "SELECT seq FROM sqlite_sequence WHERE name = 'value'")?["seq"] ?? 0
    }

    /// Takes a value from a peer, unless a restarted peer repeats an old value. If both sides pass a value of one name at
    /// the same time, the phone's value wins on both sides.
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

    /// The names of the values that the peer newly confirms if it acknowledges up to this revision.
    static func names(_ db: Database, to peer: PeerRow, upTo revision: UInt32) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT name FROM value WHERE (peer IS NULL OR peer = ?) AND revision > ? AND revision <= ?",
            arguments: [peer.identity.column, peer.latestAcknowledged, revision])
    }

    /// Stores a peer's value. A name has a single value, so this side's own value is no longer sent.
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
/// A restarted peer sends all its values again. A value that has not changed is older than the restart, so it must not replace a
/// newer one of another peer or of this side.
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

    /// The most names to remember for one peer. A value with a forgotten name counts as new when the peer sends it again.
    package static let mostNames = 64

    /// Records a peer's value. Returns false if a restarted peer sends its last value of the name again. `revision` is of the
    /// peer's present run.
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

    /// Prepares for a new run of a peer, in which it sends all its values again.
    ///
    /// Some peers restart their revisions from 1 in each run, and others continue them. For both, a value is new if its
    /// revision is above `applied` or above `issued`. Any other value may be a repetition.
    /// - Parameters:
    ///   - applied: the last applied revision of the earlier run.
    ///   - issued: the last revision in the peer's hello.
    static func begin(_ db: Database, of peer: PeerIdentity, applied: UInt32, issued: UInt32) throws {
        // A value that the earlier run did not send again keeps its old `repeatable`.
        try db.execute(
            cached: """
                UPDATE passedValue SET repeatable = min(CASE repeatable WHEN 0 THEN :applied ELSE repeatable END, :issued)
                WHERE peer = :peer
                """, arguments: ["applied": applied, "issued": issued, "peer": peer.column])
    }

    /// Records that the peer now has this side's values of these names, and will not send its own values again.
    static func replaced(_ db: Database, _ names: [String], at peer: PeerIdentity) throws {
        for name in names {
            try db.execute(
                cached: "DELETE FROM passedValue WHERE peer = ? AND name = ?", arguments: [peer.column, name])
        }
    }
}
