import Foundation
import GRDB
import Synchronization
import WatchLink

/// The streams between this endpoint and one peer, as the table `peer` keeps them.
struct PeerRow {
    let identity: PeerIdentity
    var epoch: UInt32
    /// The last queued sequence that was given.
    var issued: UInt32 = 0
    /// Queued messages up to and with this one are done.
    var acknowledged: UInt32 = 0
    var latestAcknowledged: UInt32 = 0
    /// The peer's run; 0 before its first hello.
    var peerEpoch: UInt32 = 0
    var queuedApplied: UInt32 = 0
    var latestApplied: UInt32 = 0

    /// The streams to a peer that is new.
    init(_ identity: PeerIdentity, epoch: UInt32) {
        self.identity = identity
        self.epoch = epoch
    }

    private init(_ row: StoredRow) throws {
        identity = PeerIdentity(rawValue: UInt64(bitPattern: try row["identity"]))
        epoch = try row["epoch", 1...UInt32.max]
        issued = try row["issued"]
        acknowledged = try row["acknowledged", 0...issued]
        latestAcknowledged = try row["latestAcknowledged"]
        peerEpoch = try row["peerEpoch"]
        queuedApplied = try row["queuedApplied"]
        latestApplied = try row["latestApplied"]
    }

    /// The row of a peer, nil where it has never said hello.
    static func find(_ db: Database, _ peer: PeerIdentity) throws -> PeerRow? {
        try StoredRow.one(
            db, of: "peer", sql: "SELECT * FROM peer WHERE identity = ?", arguments: [peer.column]
        ).map(PeerRow.init)
    }

    static func identities(_ db: Database) throws -> [PeerIdentity] {
        try Int64.fetchAll(db, cached: "SELECT identity FROM peer")
            .map { PeerIdentity(rawValue: UInt64(bitPattern: $0)) }.sorted()
    }

    /// Inserts the row, or replaces all of it.
    func store(_ db: Database) throws {
        try db.execute(
            cached: """
                INSERT INTO peer (identity, epoch, issued, acknowledged, latestAcknowledged, peerEpoch, queuedApplied,
                    latestApplied)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    epoch = excluded.epoch, issued = excluded.issued, acknowledged = excluded.acknowledged,
                    latestAcknowledged = excluded.latestAcknowledged, peerEpoch = excluded.peerEpoch,
                    queuedApplied = excluded.queuedApplied, latestApplied = excluded.latestApplied
                """,
            arguments: [
                identity.column, epoch, issued, acknowledged, latestAcknowledged, peerEpoch, queuedApplied,
                latestApplied,
            ])
    }

    /// The next sequence of a peer's queue, given to a message now, and the epoch that it is of.
    ///
    /// - Throws: `.queueFull`, `.unknownPeer`.
    static func issue(_ db: Database, to peer: PeerIdentity) throws -> (sequence: UInt32, epoch: UInt32) {
        let row = try StoredRow.one(
            db, of: "peer",
            sql: """
                UPDATE peer SET issued = issued + 1 WHERE identity = ? AND issued - acknowledged < ?
                RETURNING issued, epoch
                """, arguments: [peer.column, MessageStore.mostWaiting])
        if let row { return (try row["issued"], try row["epoch"]) }
        guard try find(db, peer) != nil else { throw WormholeError.unknownPeer }
        throw WormholeError.queueFull(limit: MessageStore.mostWaiting)
    }

    func streams(latestIssued: UInt32) -> PeerStreams {
        var positions = StreamPositions()
        positions.queuedIssued = issued
        positions.queuedAcknowledged = acknowledged
        positions.latestIssued = latestIssued
        positions.latestAcknowledged = latestAcknowledged
        positions.peerEpoch = peerEpoch == 0 ? nil : peerEpoch
        positions.queuedApplied = queuedApplied
        positions.latestApplied = latestApplied
        return PeerStreams(epoch: epoch, positions: positions)
    }
}

// The runs of either side.
extension PeerRow {
    /// What was applied of a run of the peer.
    func applied(_ db: Database, of epoch: UInt32) throws -> PeerRuns.Run {
        if epoch == peerEpoch { return PeerRuns.Run(epoch: peerEpoch, queued: queuedApplied, latest: latestApplied) }
        return try PeerRuns(db, of: identity).former(epoch) ?? PeerRuns.Run(epoch: epoch, queued: 0, latest: 0)
    }

    /// The peer is in this run from now on.
    mutating func enter(_ db: Database, _ epoch: UInt32) throws {
        guard epoch != peerEpoch else { return }
        let (ended, applied) = (try applied(db, of: peerEpoch), try applied(db, of: epoch))
        try PeerRuns.change(db, of: identity) { runs in
            if ended.epoch != 0 { runs.remember(ended) }
            runs.forgetFormer(epoch)
        }
        (peerEpoch, queuedApplied, latestApplied) = (epoch, applied.queued, applied.latest)
    }

    /// A new run of ours, in which the numbers of the streams go on.
    mutating func begin(_ db: Database, _ epoch: UInt32, latestIssued: UInt32) throws {
        let ended = PeerRuns.Run(epoch: self.epoch, queued: issued, latest: latestIssued)
        try PeerRuns.change(db, of: identity) { $0.begin(epoch, after: ended, acknowledged: acknowledged) }
        self.epoch = epoch
    }

    /// A new epoch, in which what is queued is numbered from 1.
    mutating func renumber(_ db: Database, _ epoch: UInt32) throws {
        var last: UInt32 = 0
        try QueueTable.renumber(db, of: identity) {
            last += 1
            return last
        }
        (self.epoch, issued, acknowledged, latestAcknowledged) = (epoch, last, 0, 0)
        try PeerRuns.change(db, of: identity) { $0.forgetOurs() }
    }
}

extension PeerRuns {
    /// The runs as the table `runs` keeps them, as JSON; none for a peer without a row.
    init(_ db: Database, of peer: PeerIdentity) throws {
        self = try PeerRuns.text(db, of: peer).map(PeerRuns.init(decoding:)) ?? PeerRuns()
    }

    fileprivate static func text(_ db: Database, of peer: PeerIdentity) throws -> String? {
        try String.fetchOne(db, cached: "SELECT runs FROM runs WHERE peer = ?", arguments: [peer.column])
    }

    fileprivate init(decoding text: String) throws {
        self = try JSONDecoder().decode(PeerRuns.self, from: Data(text.utf8))
    }

    static func change(_ db: Database, of peer: PeerIdentity, _ body: (inout PeerRuns) -> Void) throws {
        var runs = try PeerRuns(db, of: peer)
        body(&runs)
        let text = String(decoding: try JSONEncoder().encode(runs), as: UTF8.self)
        try db.execute(
            cached: "INSERT OR REPLACE INTO runs (peer, runs) VALUES (?, ?)", arguments: [peer.column, text])
    }
}

/// The runs as they were read last, for whoever reads them again and again: they change with a connection, and to decode them
/// takes longer than to read what is sent.
final class DecodedRuns: Sendable {
    private let last = Mutex<(text: String, runs: PeerRuns)?>(nil)

    func runs(_ db: Database, of peer: PeerIdentity) throws -> PeerRuns {
        guard let text = try PeerRuns.text(db, of: peer) else { return PeerRuns() }
        if let last = last.withLock({ $0 }), last.text == text { return last.runs }
        let runs = try PeerRuns(decoding: text)
        last.withLock { $0 = (text, runs) }
        return runs
    }
}

extension PeerIdentity {
    /// The identity as a database keeps it: the same 64 bits.
    package var column: Int64 { Int64(bitPattern: rawValue) }
}
