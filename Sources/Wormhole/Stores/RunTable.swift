import GRDB
import WatchLink

extension StreamRun {
    fileprivate init(_ row: StoredRow) throws {
        self.init(epoch: try row["epoch"], queued: try row["queued"], latest: try row["latest"])
    }
}

/// The earlier runs (see `StreamRun`) of this endpoint and of its peers. Call these functions inside a transaction.
package enum RunTable {
    /// The maximum numbers of earlier runs to remember for each peer: `mostPast` runs of this endpoint, and `mostFormer`
    /// runs of the peer.
    static let (mostPast, mostFormer) = (64, 1_024)

    package static func former(_ db: Database, of peer: PeerIdentity, _ epoch: UInt32) throws -> StreamRun? {
        try StoredRow.one(
            db, of: "formerRun", sql: "SELECT * FROM formerRun WHERE peer = ? AND epoch = ?",
            arguments: [peer.column, epoch]
        ).map(StreamRun.init)
    }

    /// Remembers an earlier run of a peer. Removes the oldest runs if there are more than `mostFormer`. Never removes
    /// the run with the epoch `PeerRow.floorOrigin`.
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

    package static func past(_ db: Database, of peer: PeerIdentity, _ epoch: UInt32) throws -> StreamRun? {
        try StoredRow.one(
            db, of: "pastRun", sql: "SELECT * FROM pastRun WHERE peer = ? AND epoch = ?",
            arguments: [peer.column, epoch]
        ).map(StreamRun.init)
    }

    static func forgetPast(_ db: Database, of peer: PeerIdentity) throws {
        try db.execute(cached: "DELETE FROM pastRun WHERE peer = ?", arguments: [peer.column])
    }

    /// Gives the messages to each peer a new epoch. Their sequences continue. Remembers the old epoch if a hello has
    /// told the peer about it.
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

    private static func beginRevisionsAgain(_ db: Database) throws {
        try ValueTable.renumber(db)
        try db.execute(sql: "DELETE FROM pastRun; UPDATE peer SET announced = 0, latestAcknowledged = 0")
    }
}

extension PeerIdentity {
    package var column: Int64 { Int64(bitPattern: rawValue) }

    package init(column: Int64) {
        self.init(rawValue: UInt64(bitPattern: column))
    }
}
