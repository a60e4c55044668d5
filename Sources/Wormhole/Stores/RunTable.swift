import GRDB
import WatchLink

/// How far the streams of one run got: its epoch and the highest numbers of it.
package struct StreamRun: Equatable, Sendable {
    package let epoch: UInt32
    package var queued: UInt32
    package var latest: UInt32

    package init(epoch: UInt32, queued: UInt32 = 0, latest: UInt32 = 0) {
        self.epoch = epoch
        self.queued = queued
        self.latest = latest
    }

    fileprivate init(_ row: StoredRow) throws {
        self.init(epoch: try row["epoch"], queued: try row["queued"], latest: try row["latest"])
    }
}

/// The earlier runs of an endpoint and of its peers, as parts of a transaction.
package enum RunTable {
    /// The most past runs of ours, and former ones of a peer, that are remembered for each peer.
    static let (mostPast, mostFormer) = (64, 1_024)

    /// A former run of a peer, with what was applied of it; nil if it is not remembered.
    package static func former(_ db: Database, of peer: PeerIdentity, _ epoch: UInt32) throws -> StreamRun? {
        try StoredRow.one(
            db, of: "formerRun", sql: "SELECT * FROM formerRun WHERE peer = ? AND epoch = ?",
            arguments: [peer.column, epoch]
        ).map(StreamRun.init)
    }

    /// Stores what was applied of a run of a peer that is not the present one, as the newest of them. The run of the last message
    /// that is acknowledged stays, however old it is.
    package static func remember(_ db: Database, _ run: StreamRun, of peer: PeerIdentity) throws {
        try db.execute(
            cached: "INSERT OR REPLACE INTO formerRun (peer, epoch, queued, latest) VALUES (?, ?, ?, ?)",
            arguments: [peer.column, run.epoch, run.queued, run.latest])
        try db.execute(
            cached: """
                DELETE FROM formerRun WHERE peer = :peer
                AND epoch <> (SELECT floorOrigin FROM peer WHERE identity = :peer) AND number <= (
                    SELECT number FROM formerRun WHERE peer = :peer ORDER BY number DESC LIMIT 1 OFFSET :most)
                """, arguments: ["peer": peer.column, "most": mostFormer])
    }

    static func forget(_ db: Database, of peer: PeerIdentity, _ epoch: UInt32) throws {
        try db.execute(
            cached: "DELETE FROM formerRun WHERE peer = ? AND epoch = ?", arguments: [peer.column, epoch])
    }

    /// What had been issued to a peer in a past run of ours; nil if it is not remembered.
    package static func past(_ db: Database, of peer: PeerIdentity, _ epoch: UInt32) throws -> StreamRun? {
        try StoredRow.one(
            db, of: "pastRun", sql: "SELECT * FROM pastRun WHERE peer = ? AND epoch = ?",
            arguments: [peer.column, epoch]
        ).map(StreamRun.init)
    }

    static func forgetPast(_ db: Database, of peer: PeerIdentity) throws {
        try db.execute(cached: "DELETE FROM pastRun WHERE peer = ?", arguments: [peer.column])
    }

    /// Begins a run of ours: the streams to every peer get a new epoch, in which their numbers go on. An epoch that a hello has
    /// told the peer is remembered with its end.
    static func begin(_ db: Database, _ drawEpoch: () -> UInt32) throws {
        if try ValueTable.newestRevision(db) >= ValueTable.lastRevision { try beginRevisionsAgain(db) }
        let latest = try ValueTable.newestRevision(db)
        for peer in try PeerRow.identities(db) {
            try db.execute(
                cached: """
                    INSERT OR REPLACE INTO pastRun (peer, epoch, queued, latest)
                    SELECT identity, epoch, issued, ? FROM peer WHERE identity = ? AND announced = 1
                    """, arguments: [latest, peer.column])
            try db.execute(
                cached: """
                    DELETE FROM pastRun WHERE peer = :peer AND number <= (
                        SELECT number FROM pastRun WHERE peer = :peer ORDER BY number DESC LIMIT 1 OFFSET :most)
                    """, arguments: ["peer": peer.column, "most": mostPast])
            guard let before = try PeerRow.find(db, peer)?.epoch else { continue }
            var epoch = drawEpoch()
            while try epoch == before || past(db, of: peer, epoch) != nil { epoch = max(epoch &+ 1, 1) }
            try db.execute(
                cached: "UPDATE peer SET epoch = ?, announced = 0 WHERE identity = ?", arguments: [epoch, peer.column])
        }
    }

    /// The revisions start again from 1, and every peer gets every value again.
    private static func beginRevisionsAgain(_ db: Database) throws {
        try ValueTable.renumber(db)
        try db.execute(sql: "DELETE FROM pastRun; UPDATE peer SET announced = 0, latestAcknowledged = 0")
    }
}

extension PeerIdentity {
    /// The identity as a database keeps it: the same 64 bits.
    package var column: Int64 { Int64(bitPattern: rawValue) }

    package init(column: Int64) {
        self.init(rawValue: UInt64(bitPattern: column))
    }
}
