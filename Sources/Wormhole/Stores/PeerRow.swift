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
    /// The sequence up to which the peer has deleted its messages, because we acknowledged them. It comes from the
    /// peer's last hello. `MessageStoreDelegate.heard` sets it to 0.
    var floor: UInt32 = 0
    /// The epoch in which the peer issued the message with sequence `floor`; 0 if unknown.
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

    /// Removes a peer with its queue, values, runs and transfers. Its messages in the inbox stay. If the peer connects
    /// again, it is a new peer.
    package static func forget(_ db: Database, _ peer: PeerIdentity) throws {
        try db.execute(cached: "DELETE FROM value WHERE peer = ?", arguments: [peer.column])
        try db.execute(cached: "DELETE FROM peer WHERE identity = ?", arguments: [peer.column])
    }

    /// Inserts or replaces the whole row. Also marks this side's epoch as announced, because this side's hello tells
    /// the peer this epoch.
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

    /// The peer's present epoch, with the highest numbers that this side has applied in it; nil before the peer's first
    /// hello.
    package var presentRun: StreamRun? {
        peerEpoch == 0 ? nil : StreamRun(epoch: peerEpoch, queued: queuedApplied, latest: latestApplied)
    }

    func applied(_ db: Database, of epoch: UInt32) throws -> StreamRun {
        if let presentRun, presentRun.epoch == epoch { return presentRun }
        return try RunTable.former(db, of: identity, epoch) ?? StreamRun(epoch: epoch)
    }

    /// Makes `epoch` the peer's present epoch. Saves the applied numbers of the previous epoch in `RunTable`, and loads the
    /// applied numbers of `epoch`. Does not store the row.
    mutating func enter(_ db: Database, _ epoch: UInt32) throws {
        guard epoch != peerEpoch else { return }
        let applied = try applied(db, of: epoch)
        if let presentRun { try RunTable.remember(db, presentRun, of: identity) }
        try RunTable.forget(db, of: identity, epoch)
        (peerEpoch, queuedApplied, latestApplied) = (epoch, applied.queued, applied.latest)
    }

    /// Begins `epoch` for the messages to the peer. Removes the waiting messages that `QueueTable.feed` queued, and renumbers
    /// the other messages from 1. Forgets this endpoint's earlier runs for this peer. Returns a dictionary from old to new
    /// sequences. Does not store the row.
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
