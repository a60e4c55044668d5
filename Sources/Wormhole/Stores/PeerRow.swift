import Foundation
import GRDB
import WatchLink

/// The streams between this endpoint and one peer, as the table `peer` keeps them.
package struct PeerRow: Sendable {
    package let identity: PeerIdentity
    package private(set) var epoch: UInt32
    /// The last queued sequence that was given.
    package private(set) var issued: UInt32 = 0
    /// Queued messages up to and with this one are done.
    package private(set) var acknowledged: UInt32 = 0
    package internal(set) var latestAcknowledged: UInt32 = 0
    /// The peer's run; 0 before its first hello.
    package private(set) var peerEpoch: UInt32 = 0
    package internal(set) var queuedApplied: UInt32 = 0
    package internal(set) var latestApplied: UInt32 = 0
    /// What the peer's last hello says of its own messages: up to this one they are acknowledged, and deleted.
    var floor: UInt32 = 0
    /// The epoch in which the message at the floor was issued; 0 if that is not known.
    var floorOrigin: UInt32 = 0

    /// The streams to a peer that is new.
    init(_ identity: PeerIdentity, epoch: UInt32) {
        self.identity = identity
        self.epoch = epoch
    }

    private init(_ row: StoredRow) throws {
        identity = PeerIdentity(column: try row["identity"])
        epoch = try row["epoch", 1...UInt32.max]
        issued = try row["issued"]
        acknowledged = try row["acknowledged", 0...issued]
        latestAcknowledged = try row["latestAcknowledged"]
        peerEpoch = try row["peerEpoch"]
        queuedApplied = try row["queuedApplied"]
        latestApplied = try row["latestApplied"]
        floor = try row["floor"]
        floorOrigin = try row["floorOrigin"]
    }

    /// The row of a peer, nil if it has never said hello.
    package static func find(_ db: Database, _ peer: PeerIdentity) throws -> PeerRow? {
        try StoredRow.one(
            db, of: "peer", sql: "SELECT * FROM peer WHERE identity = ?", arguments: [peer.column]
        ).map(PeerRow.init)
    }

    static func identities(_ db: Database) throws -> [PeerIdentity] {
        try Int64.fetchAll(db, cached: "SELECT identity FROM peer").map(PeerIdentity.init(column:)).sorted()
    }

    /// Removes a peer with all that the store keeps for it: if it comes again, it is a new one.
    package static func forget(_ db: Database, _ peer: PeerIdentity) throws {
        try db.execute(cached: "DELETE FROM value WHERE peer = ?", arguments: [peer.column])
        try db.execute(cached: "DELETE FROM peer WHERE identity = ?", arguments: [peer.column])
    }

    /// Inserts the row, or replaces all of it: a hello tells the peer the epoch.
    func store(_ db: Database) throws {
        try db.execute(
            cached: """
                INSERT INTO peer (identity, epoch, issued, acknowledged, latestAcknowledged, peerEpoch, queuedApplied,
                    latestApplied, floor, floorOrigin)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    epoch = excluded.epoch, issued = excluded.issued, acknowledged = excluded.acknowledged,
                    latestAcknowledged = excluded.latestAcknowledged, peerEpoch = excluded.peerEpoch,
                    queuedApplied = excluded.queuedApplied, latestApplied = excluded.latestApplied,
                    floor = excluded.floor, floorOrigin = excluded.floorOrigin, announced = 1
                """,
            arguments: [
                identity.column, epoch, issued, acknowledged, latestAcknowledged, peerEpoch, queuedApplied,
                latestApplied, floor, floorOrigin,
            ])
    }

    /// Stores what was applied.
    func storeApplied(_ db: Database) throws {
        try db.execute(
            cached: "UPDATE peer SET peerEpoch = ?, queuedApplied = ?, latestApplied = ? WHERE identity = ?",
            arguments: [peerEpoch, queuedApplied, latestApplied, identity.column])
    }

    /// The next sequence of a peer's queue, given to a message now, and the epoch that it is of.
    ///
    /// - Throws: `.queueFull` if so many wait already, `.unknownPeer`.
    static func issue(
        _ db: Database, to peer: PeerIdentity, atMost limit: Int
    ) throws -> (sequence: UInt32, epoch: UInt32) {
        let row = try StoredRow.one(
            db, of: "peer",
            sql: """
                UPDATE peer SET issued = issued + 1 WHERE identity = ? AND issued - acknowledged < ?
                RETURNING issued, epoch
                """, arguments: [peer.column, limit])
        if let row { return (try row["issued"], try row["epoch"]) }
        guard try find(db, peer) != nil else { throw WormholeError.unknownPeer }
        throw WormholeError.queueFull(limit: limit)
    }

    func streams(latestIssued: UInt32, lost: UInt32 = 0) -> PeerStreams {
        PeerStreams(epoch: epoch, positions: positions(latestIssued: latestIssued), lost: lost)
    }

    package func positions(latestIssued: UInt32) -> StreamPositions {
        var positions = StreamPositions()
        positions.queuedIssued = issued
        positions.queuedAcknowledged = acknowledged
        positions.latestIssued = latestIssued
        positions.latestAcknowledged = latestAcknowledged
        positions.peerEpoch = peerEpoch == 0 ? nil : peerEpoch
        positions.queuedApplied = queuedApplied
        positions.latestApplied = latestApplied
        return positions
    }

    /// The number of queued messages that are not acknowledged.
    package var waiting: UInt32 { issued - acknowledged }

    /// What was applied of the run of the last link; nil before the first.
    package var presentRun: StreamRun? {
        peerEpoch == 0 ? nil : StreamRun(epoch: peerEpoch, queued: queuedApplied, latest: latestApplied)
    }

    /// What was applied of a run of the peer.
    func applied(_ db: Database, of epoch: UInt32) throws -> StreamRun {
        if let presentRun, presentRun.epoch == epoch { return presentRun }
        return try RunTable.former(db, of: identity, epoch) ?? StreamRun(epoch: epoch)
    }

    /// The peer is in this run from now on.
    mutating func enter(_ db: Database, _ epoch: UInt32) throws {
        guard epoch != peerEpoch else { return }
        let applied = try applied(db, of: epoch)
        if let presentRun { try RunTable.remember(db, presentRun, of: identity) }
        try RunTable.forget(db, of: identity, epoch)
        (peerEpoch, queuedApplied, latestApplied) = (epoch, applied.queued, applied.latest)
    }

    /// A new epoch, in which what a program has passed is numbered from 1 and everything else is gone.
    mutating func renumber(_ db: Database, _ epoch: UInt32) throws {
        issued = try QueueTable.renumber(db, of: identity)
        (self.epoch, acknowledged, latestAcknowledged) = (epoch, 0, 0)
        try RunTable.forgetPast(db, of: identity)
    }

    /// A new epoch, in which the numbers go on.
    mutating func begin(_ epoch: UInt32) {
        self.epoch = epoch
    }
}

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
