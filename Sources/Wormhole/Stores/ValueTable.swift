import Foundation
import GRDB
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
