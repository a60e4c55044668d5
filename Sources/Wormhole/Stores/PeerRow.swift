import Foundation
import GRDB
import WatchLink

package struct PeerRow: Sendable {
    package let identity: PeerIdentity
    package private(set) var epoch: UInt32
    package private(set) var issued: UInt32 = 0
    package private(set) var acknowledged: UInt32 = 0
    package internal(set) var latestAcknowledged: UInt32 = 0
    /// The epoch of the peer's messages; 0 before the peer's first hello.
    package private(set) var peerEpoch: UInt32 = 0
    package internal(set) var queuedApplied: UInt32 = 0
    package internal(set) var latestApplied: UInt32 = 0
    /// The peer has deleted its messages up to this sequence, because we acknowledged them. The peer's last hello says so.
    var floor: UInt32 = 0
    /// The epoch in which the peer issued message `floor`; 0 if unknown.
    var floorOrigin: UInt32 = 0

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

    package static func find(_ db: Database, _ peer: PeerIdentity) throws -> PeerRow? {
        try StoredRow.one(
            db, of: "peer", sql: "SELECT * FROM peer WHERE identity = ?", arguments: [peer.column]
        ).map(PeerRow.init)
    }

    static func identities(_ db: Database) throws -> [PeerIdentity] {
        try Int64.fetchAll(db, cached: "SELECT identity FROM peer").map(PeerIdentity.init(column:)).sorted()
    }

    /// Removes a peer with everything stored for it. If it connects again, it is a new peer.
    package static func forget(_ db: Database, _ peer: PeerIdentity) throws {
        try db.execute(cached: "DELETE FROM value WHERE peer = ?", arguments: [peer.column])
        try db.execute(cached: "DELETE FROM peer WHERE identity = ?", arguments: [peer.column])
    }

    /// Inserts or replaces the whole row. Also marks this side's epoch as announced, because a hello tells the peer about it.
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

    func storeApplied(_ db: Database) throws {
        try db.execute(
            cached: "UPDATE peer SET peerEpoch = ?, queuedApplied = ?, latestApplied = ? WHERE identity = ?",
            arguments: [peerEpoch, queuedApplied, latestApplied, identity.column])
    }

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

    func streams(latestIssued: UInt32, lost: UInt32 = 0, renumbered: [UInt32: UInt32]? = nil) -> PeerStreams {
        PeerStreams(
            epoch: epoch, positions: positions(latestIssued: latestIssued), lost: lost, renumbered: renumbered)
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

    package var waiting: UInt32 { issued - acknowledged }

    /// How far the peer's messages of its present run are applied; nil before the peer's first hello.
    package var presentRun: StreamRun? {
        peerEpoch == 0 ? nil : StreamRun(epoch: peerEpoch, queued: queuedApplied, latest: latestApplied)
    }

    func applied(_ db: Database, of epoch: UInt32) throws -> StreamRun {
        if let presentRun, presentRun.epoch == epoch { return presentRun }
        return try RunTable.former(db, of: identity, epoch) ?? StreamRun(epoch: epoch)
    }

    /// Changes to another epoch of the peer, new or former. First stores the applied numbers of the epoch before.
    mutating func enter(_ db: Database, _ epoch: UInt32) throws {
        guard epoch != peerEpoch else { return }
        let applied = try applied(db, of: epoch)
        if let presentRun { try RunTable.remember(db, presentRun, of: identity) }
        try RunTable.forget(db, of: identity, epoch)
        (peerEpoch, queuedApplied, latestApplied) = (epoch, applied.queued, applied.latest)
    }

    /// Removes the waiting messages that `QueueTable.feed` queued, and renumbers the others from 1. Forgets this endpoint's past
    /// runs at this peer. Returns a dictionary from old to new sequences.
    mutating func renumber(_ db: Database, _ epoch: UInt32) throws -> [UInt32: UInt32] {
        let renumbered = try QueueTable.renumber(db, of: identity)
        (self.epoch, issued, acknowledged, latestAcknowledged) = (epoch, UInt32(renumbered.count), 0, 0)
        try RunTable.forgetPast(db, of: identity)
        return renumbered
    }

    mutating func begin(_ epoch: UInt32) {
        self.epoch = epoch
    }
}
