import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The part of a transaction that enters a watch which has said hello.
struct WatchHandshake {
    /// The most watches of local sockets that are known; any program of this user can invent another.
    static let mostLocalWatches = 256

    let peer: PeerIdentity
    let handshake: PeerHandshake?
    let newEpoch: UInt32
    /// What the owner should know, in the order in which it happened.
    private(set) var notices: [(PeerIdentity, WatchNotice)] = []

    init(peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32) {
        self.peer = peer
        self.handshake = handshake
        self.newEpoch = newEpoch
    }

    /// Updates the row of the watch, its queue and its projection from its hello, and queues what it lacks.
    mutating func resume(_ db: Database, _ dependencies: PhoneDependencies) throws -> PeerStreams {
        try FeedStore.publishLatest(db, dependencies)
        let known = try streams(db)
        guard let handshake else { return known ?? PeerStreams(epoch: newEpoch, positions: StreamPositions()) }
        let hello = handshake.hello
        if known == nil { try makeRoom(db) }
        try enter(db, handshake, dependencies)
        switch FeedResumption(hello, epoch: known?.epoch, positions: known?.positions ?? StreamPositions()) {
        case .resume(let applied): try WatchHandshake.acknowledged(db, applied, by: peer.stored)
        case .startOver:
            try FeedStore.forget(db, watch: peer.stored)
            try db.execute(
                sql: """
                    UPDATE watch SET epoch = ?, queuedIssued = 0, queuedAcknowledged = 0, latestAcknowledged = 0
                    WHERE identity = ?
                    """, arguments: [newEpoch, peer.stored])
        }
        try FeedStore.bringUpToDate(db, watch: peer.stored)
        guard let streams = try streams(db) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return streams
    }

    /// Removes acknowledged messages from the queue of a watch.
    static func acknowledged(_ db: Database, _ acknowledgement: Acknowledgement, by watch: Int64) throws {
        let rejected = acknowledgement.rejected
        for index in 0..<rejected.count {
            let name = try String.fetchOne(
                db, sql: "SELECT name FROM outgoing WHERE watch = ? AND sequence = ?",
                arguments: [watch, rejected[index].sequence])
            guard let name, FeedProjection.isLost(rejecting: name) else { continue }
            try db.execute(sql: "UPDATE watch SET given = 'nothing' WHERE identity = ?", arguments: [watch])
        }
        try db.execute(
            sql: "DELETE FROM outgoing WHERE watch = ? AND sequence <= ?", arguments: [watch, acknowledgement.queued])
        try db.execute(
            sql: """
                UPDATE watch SET queuedAcknowledged = min(queuedIssued, max(queuedAcknowledged, ?)), latestAcknowledged = ?
                WHERE identity = ?
                """, arguments: [acknowledgement.queued, acknowledgement.latest, watch])
    }

    /// The queue of a watch, nil for an unknown one.
    static func queue(_ db: Database, of watch: Int64) throws -> OutgoingQueue? {
        try row(db, of: watch).map(OutgoingQueue.init)
    }

    /// Whether something that waited until the watch acknowledged can be queued now.
    static func isDue(_ db: Database, for watch: Int64, before: OutgoingQueue?) throws -> Bool {
        guard let row = try row(db, of: watch) else { return false }
        let isFull = try OutgoingQueue(row).isFull
        let reload = try PendingReload(row).due
        return before?.isFull == true && !isFull || reload != nil
    }

    private static func row(_ db: Database, of watch: Int64) throws -> StoredRow? {
        try StoredRow.one(db, of: "watch", sql: "SELECT * FROM watch WHERE identity = ?", arguments: [watch])
    }

    /// Forgets the watches of local sockets that were away longest, so that there is room for one more.
    private mutating func makeRoom(_ db: Database) throws {
        let oldest = try StoredRow.all(
            db, of: "watch",
            sql: """
                SELECT identity FROM watch WHERE bond IS NULL ORDER BY lastMetAt DESC, identity LIMIT -1 OFFSET ?
                """, arguments: [WatchHandshake.mostLocalWatches - 1])
        for row in oldest {
            let identity: Int64 = try row["identity"]
            try db.execute(sql: "DELETE FROM watch WHERE identity = ?", arguments: [identity])
            notices.append((PeerIdentity(rawValue: UInt64(bitPattern: identity)), .forgotten))
        }
    }

    /// Inserts or updates the row of the watch.
    private func enter(_ db: Database, _ handshake: PeerHandshake, _ dependencies: PhoneDependencies) throws {
        let now = dependencies.now().storedMilliseconds
        let name = handshake.hello.name
        let text = String(decoding: (0..<name.count).map { name.utf8[$0] }, as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO watch (identity, name, firstMetAt, lastMetAt, largestBody, epoch) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    name = excluded.name, lastMetAt = excluded.lastMetAt, largestBody = excluded.largestBody
                """,
            arguments: [
                peer.stored, (try? CleanTitle(text))?.text ?? "", now, now, handshake.largestBody, newEpoch,
            ])
    }

    /// The positions of the streams; nil for a new watch.
    private func streams(_ db: Database) throws -> PeerStreams? {
        guard
            let row = try WatchHandshake.row(db, of: peer.stored)
        else { return nil }
        var positions = StreamPositions()
        positions.queuedIssued = try row["queuedIssued"]
        positions.queuedAcknowledged = try row["queuedAcknowledged", 0...positions.queuedIssued]
        positions.latestIssued = try LatestStore.issued(db, to: peer)
        positions.latestAcknowledged = try row["latestAcknowledged"]
        let peerEpoch: UInt32 = try row["peerEpoch"]
        positions.peerEpoch = peerEpoch == 0 ? nil : peerEpoch
        positions.queuedApplied = try row["queuedApplied"]
        positions.latestApplied = try row["latestApplied"]
        return PeerStreams(epoch: try row["epoch", 1...UInt32.max], positions: positions)
    }
}
