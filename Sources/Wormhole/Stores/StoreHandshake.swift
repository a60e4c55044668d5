import GRDB
import WatchLink

struct StoreHandshake {
    let peer: PeerIdentity
    /// The peer's hello. Nil on a watch that has no hello from its phone yet, because a watch says hello first.
    let handshake: PeerHandshake?
    let newEpoch: UInt32
    let delegate: (any MessageStoreDelegate)?

    func resume(_ db: Database) throws -> PeerStreams {
        let known = try PeerRow.find(db, peer)
        var row = known ?? PeerRow(peer, epoch: newEpoch)
        guard let handshake else {
            try row.store(db)
            return row.streams(latestIssued: try ValueTable.issued(db, to: row, peer))
        }
        let hello = handshake.hello
        let (continuation, lost) =
            try delegate?.willMeet(db, peer, handshake, known) ?? (decide(db, hello, row), 0)
        if row.peerEpoch != hello.epoch {
            try PassedValueTable.begin(db, of: peer, applied: row.latestApplied, issued: hello.latestIssued)
        }
        (row.floor, row.floorOrigin) = (hello.queuedFloor, hello.floorOrigin ?? 0)
        try row.store(db)
        try row.enter(db, hello.epoch)
        var renumbered: [UInt32: UInt32]?
        switch continuation {
        case .resume(let applied):
            row.latestAcknowledged = min(row.latestAcknowledged, applied.latest)
            try row.store(db)
            _ = try StoreHandshake.acknowledge(db, applied, row)
        case .continueAfterAcknowledged: try row.store(db)
        case .startOver:
            // A watch's messages keep their origin and sequence, so that none is applied twice.
            if peer == .phone { row.begin(newEpoch) } else { renumbered = try row.renumber(db, newEpoch) }
            try row.store(db)
        }
        try delegate?.didMeet(db, peer, hello, continuation)
        guard let stored = try PeerRow.find(db, peer) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let latest = try ValueTable.issued(db, to: stored, peer)
        return stored.streams(latestIssued: latest, lost: lost, renumbered: renumbered)
    }

    private func decide(_ db: Database, _ hello: PeerHello, _ row: PeerRow) throws -> StreamContinuation {
        // The peer may have applied a value that was removed since.
        let positions = row.positions(latestIssued: try ValueTable.newestRevision(db))
        let claimed = Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied)
        guard positions.agree(with: hello, epoch: row.epoch) else { return .startOver }
        if hello.knows(epoch: row.epoch) { return .resume(applied: claimed) }
        guard peer != .phone, let epoch = hello.knownEpoch, let past = try RunTable.past(db, of: peer, epoch) else {
            return .continueAfterAcknowledged
        }
        return claimed.queued <= past.queued && claimed.latest <= past.latest
            ? .resume(applied: claimed) : .startOver
    }

    /// Records an acknowledgement. Returns the names of the rejected messages that `QueueTable.feed` had queued.
    static func acknowledge(
        _ db: Database, _ acknowledgement: Acknowledgement, _ row: PeerRow
    ) throws -> [MessageName] {
        let done = min(acknowledgement.queued, row.issued)
        guard done > row.acknowledged || acknowledgement.latest > row.latestAcknowledged else { return [] }
        let rejected =
            done > row.acknowledged ? try QueueTable.finish(db, acknowledgement, of: row.identity) : []
        if acknowledgement.latest > row.latestAcknowledged {
            let names = try ValueTable.names(db, to: row, upTo: acknowledgement.latest)
            try PassedValueTable.replaced(db, names, at: row.identity)
        }
        try db.execute(
            cached: "UPDATE peer SET acknowledged = ?, latestAcknowledged = ? WHERE identity = ?",
            arguments: [
                max(done, row.acknowledged), max(acknowledgement.latest, row.latestAcknowledged), row.identity.column,
            ])
        return rejected
    }
}
