import Foundation
import GRDB
import HostSystem
import WatchLink

/// The latest values, as parts of a transaction.
package enum ValueTable {
    /// The revisions start again from 1 with the first run after this one, so that they never run out.
    static let lastRevision: UInt32 = 1 << 31

    /// Gives a name a new value, nil for a cleared one.
    ///
    /// - Returns: its revision, which is higher than any before.
    @discardableResult
    package static func replace(
        _ db: Database, _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws -> UInt32 {
        // A value for everyone replaces those for one peer; one for a peer replaces only that peer's.
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

    /// The value for everyone under a name; nil if there is none, or it was cleared.
    package static func published(_ db: Database, _ name: MessageName) throws -> [UInt8]? {
        try StoredRow.one(
            db, of: "value", sql: "SELECT payload FROM value WHERE name = ? AND peer IS NULL", arguments: [name.text])?[
                "payload"]
    }

    /// Gives all values new revisions from 1 on, in their order.
    static func renumber(_ db: Database) throws {
        let revisions = try Int64.fetchAll(db, cached: "SELECT revision FROM value ORDER BY revision")
        for (index, revision) in revisions.enumerated() {
            try db.execute(
                cached: "UPDATE value SET revision = ? WHERE revision = ?", arguments: [index + 1, revision])
        }
        try db.execute(
            cached: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'value'", arguments: [revisions.count])
    }

    /// The value for a peer with the lowest revision above `revision`.
    static func value(_ db: Database, after revision: UInt32, for peer: PeerIdentity) throws -> RevisedValue? {
        try StoredRow.one(
            db, of: "value",
            sql: """
                SELECT revision, name, payload FROM value
                WHERE revision > ? AND (peer IS NULL OR peer = ?) ORDER BY revision LIMIT 1
                """, arguments: [revision, peer.column]
        ).map { RevisedValue(revision: try $0["revision"], name: try $0["name"], payload: try $0["payload"]) }
    }

    /// The highest revision that a peer has applied, or will once it has all values: it waits for no other.
    static func issued(_ db: Database, to peer: PeerRow?, _ identity: PeerIdentity) throws -> UInt32 {
        let meant: UInt32? = try StoredRow.one(
            db, of: "value",
            sql: """
                SELECT revision FROM value WHERE peer IS NULL OR peer = ? ORDER BY revision DESC LIMIT 1
                """, arguments: [identity.column])?["revision"]
        return max(meant ?? 0, peer?.latestAcknowledged ?? 0)
    }

    /// The highest revision that was ever issued to any peer. One may have applied that value, though it is gone since.
    package static func newestRevision(_ db: Database) throws -> UInt32 {
        try StoredRow.one(db, of: "value", sql: "SELECT seq FROM sqlite_sequence WHERE name = 'value'")?["seq"] ?? 0
    }

    /// Takes a value that a peer has passed, nil for a cleared one, unless a restarted peer sends it again. Where both sides pass
    /// one under one name at the same moment, the phone's wins on both.
    package static func take(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, of message: InboundMessage, _ row: PeerRow
    ) throws -> ArrivalOutcome {
        switch try PassedValueTable.note(db, name, payload, revision: message.sequence, from: message.peer) {
        case .repeated: return .repeated
        case .new:
            if try message.peer == .phone || !isUnderWay(db, name, to: row) { try accept(db, name, payload) }
            return .applied
        }
    }

    /// Whether a peer has not acknowledged a value of ours under this name yet.
    private static func isUnderWay(_ db: Database, _ name: MessageName, to peer: PeerRow) throws -> Bool {
        try StoredRow.one(
            db, of: "value",
            sql: "SELECT revision FROM value WHERE name = ? AND (peer IS NULL OR peer = ?) AND revision > ?",
            arguments: [name.text, peer.identity.column, peer.latestAcknowledged]) != nil
    }

    /// The names of our values that a peer has acknowledged, once it acknowledges those up to this revision.
    static func names(_ db: Database, to peer: PeerRow, upTo revision: UInt32) throws -> [String] {
        try String.fetchAll(
            db, cached: "SELECT name FROM value WHERE (peer IS NULL OR peer = ?) AND revision > ? AND revision <= ?",
            arguments: [peer.identity.column, peer.latestAcknowledged, revision])
    }

    /// A peer has passed a value, nil for a cleared one. A name has one value, whichever side passed it: ours is not sent any
    /// more.
    private static func accept(_ db: Database, _ name: MessageName, _ payload: [UInt8]?) throws {
        try db.execute(cached: "DELETE FROM value WHERE name = ?", arguments: [name.text])
        try deliver(db, name, payload)
    }

    static func current(_ db: Database, _ name: MessageName) throws -> [UInt8]? {
        try StoredRow.one(
            db, of: "mailbox", sql: "SELECT payload FROM mailbox WHERE name = ?", arguments: [name.text])?["payload"]
    }

    static func names(_ db: Database) throws -> [MessageName] {
        try StoredRow.all(db, of: "mailbox", sql: "SELECT name FROM mailbox").map { try $0["name"] }.sorted()
    }

    /// Makes a value readable under its name.
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
