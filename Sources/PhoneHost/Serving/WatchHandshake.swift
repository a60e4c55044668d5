import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The part of a transaction in which a watch is looked up that has said hello.
struct WatchHandshake {
    let peer: PeerIdentity
    let meeting: PeerHandshake?
    let newEpoch: UInt32

    /// Brings the row of the watch, its queue and its projection in line with what it says, and queues what it lacks.
    func resume(_ db: Database, _ surroundings: PhoneDependencies) throws -> PeerStreams {
        try FeedStore.publishLatest(db, surroundings)
        let known = try streams(db)
        guard let meeting else { return known ?? PeerStreams(epoch: newEpoch, positions: StreamPositions()) }
        let hello = meeting.hello
        try enter(db, meeting, surroundings)
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

    /// Notes that messages up to a sequence are done.
    static func acknowledged(_ db: Database, _ word: Acknowledgement, by watch: Int64) throws {
        for index in 0..<word.rejected.count {
            let name = try String.fetchOne(
                db, sql: "SELECT name FROM outgoing WHERE watch = ? AND sequence = ?",
                arguments: [watch, word.rejected[index].sequence])
            guard let name, FeedProjection.isLost(rejecting: name) else { continue }
            try db.execute(sql: "UPDATE watch SET given = 'nothing' WHERE identity = ?", arguments: [watch])
        }
        try db.execute(
            sql: "DELETE FROM outgoing WHERE watch = ? AND sequence <= ?", arguments: [watch, word.queued])
        try db.execute(
            sql: """
                UPDATE watch SET queuedAcknowledged = min(queuedIssued, max(queuedAcknowledged, ?)), latestAcknowledged = ?
                WHERE identity = ?
                """, arguments: [word.queued, word.latest, watch])
    }

    /// Makes sure that there is a row for the watch, with what it says of itself now.
    private func enter(_ db: Database, _ meeting: PeerHandshake, _ surroundings: PhoneDependencies) throws {
        let now = surroundings.now().storedMilliseconds
        let name = meeting.hello.name
        let text = String(decoding: (0..<name.count).map { name.utf8[$0] }, as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO watch (identity, name, firstMetAt, lastMetAt, largestBody, epoch) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    name = excluded.name, lastMetAt = excluded.lastMetAt, largestBody = excluded.largestBody
                """,
            arguments: [
                peer.stored, (try? CleanTitle(text))?.text ?? "", now, now, meeting.largestBody, newEpoch,
            ])
    }

    /// Where the streams stand; nil for a watch that is new.
    private func streams(_ db: Database) throws -> PeerStreams? {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT * FROM watch WHERE identity = ?", arguments: [peer.stored])
        else { return nil }
        var positions = StreamPositions()
        positions.queuedIssued = row["queuedIssued"]
        positions.queuedAcknowledged = row["queuedAcknowledged"]
        positions.latestIssued = try LatestStore.issued(db, to: peer.stored)
        positions.latestAcknowledged = row["latestAcknowledged"]
        positions.peerEpoch = row["peerEpoch"]
        positions.queuedApplied = row["queuedApplied"]
        positions.latestApplied = row["latestApplied"]
        return PeerStreams(epoch: row["epoch"], positions: positions)
    }
}
