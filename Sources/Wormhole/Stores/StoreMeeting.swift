import GRDB
import WatchLink

/// The part of a transaction in which an endpoint meets a peer.
struct StoreMeeting {
    /// Whether the endpoint has met the peer since it has opened the store.
    enum Run {
        case present
        case new
    }

    let peer: PeerIdentity
    /// Nil in the watch's role, which has to introduce itself first.
    let hello: PeerHello?
    let newEpoch: UInt32
    let run: Run

    /// The streams from now on: see `Persisting.resume`.
    func resume(_ db: Database) throws -> PeerStreams {
        var row = try PeerRow.find(db, peer) ?? PeerRow(peer, epoch: newEpoch)
        // The peer may have applied a value that is gone since.
        let newest = try ValueTable.newestRevision(db)
        switch run {
        case .present: break
        // A peer that is new has the new epoch already.
        case .new: if row.epoch != newEpoch { try row.begin(db, newEpoch, latestIssued: newest) }
        }
        guard let hello else {
            try row.store(db)
            return row.streams(latestIssued: try ValueTable.issued(db, to: row, peer))
        }
        let streams = row.streams(latestIssued: newest)
        if row.peerEpoch != hello.epoch {
            try PassedValueTable.begin(db, of: peer, applied: row.latestApplied, issued: hello.latestIssued)
        }
        try row.enter(db, hello.epoch)
        let claimed = Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied)
        let past = try hello.knownEpoch.flatMap { try PeerRuns(db, of: peer).end(of: $0) }
        if !streams.positions.agree(with: hello, epoch: streams.epoch) {
            try startOver(db, &row, newest)
        } else if hello.knows(epoch: streams.epoch) {
            try row.store(db)
            try StoreMeeting.acknowledge(db, claimed, row)
        } else if let past, peer != .phone {
            if claimed.queued <= past.queued, claimed.latest <= past.latest {
                try row.store(db)
                try StoreMeeting.acknowledge(db, claimed, row)
            } else {
                try row.renumber(db, newEpoch)
                try row.store(db)
            }
        } else {
            try row.store(db)
        }
        guard let stored = try PeerRow.find(db, peer) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        return stored.streams(latestIssued: try ValueTable.issued(db, to: stored, peer))
    }

    private func startOver(_ db: Database, _ row: inout PeerRow, _ latestIssued: UInt32) throws {
        if peer == .phone {
            // A watch's messages keep their names, so that none is applied twice.
            try row.begin(db, newEpoch, latestIssued: latestIssued)
        } else {
            try row.renumber(db, newEpoch)
        }
        try row.store(db)
    }

    /// The peer of this row is done with messages.
    static func acknowledge(_ db: Database, _ acknowledgement: Acknowledgement, _ row: PeerRow) throws {
        let done = min(acknowledgement.queued, row.issued)
        guard done > row.acknowledged || acknowledgement.latest > row.latestAcknowledged else { return }
        if done > row.acknowledged { try QueueTable.finish(db, acknowledgement, of: row.identity) }
        if acknowledgement.latest > row.latestAcknowledged {
            let names = try ValueTable.names(db, to: row, upTo: acknowledgement.latest)
            try PassedValueTable.replaced(db, names, at: row.identity)
        }
        try db.execute(
            cached: "UPDATE peer SET acknowledged = ?, latestAcknowledged = ? WHERE identity = ?",
            arguments: [
                max(done, row.acknowledged), max(acknowledgement.latest, row.latestAcknowledged), row.identity.column,
            ])
    }
}
