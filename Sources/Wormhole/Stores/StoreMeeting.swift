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
        let latestIssued = try ValueTable.issued(db, to: row, peer)
        switch run {
        case .present: break
        // A peer that is new has the new epoch already.
        case .new: if row.epoch != newEpoch { try row.begin(db, newEpoch, latestIssued: latestIssued) }
        }
        guard let hello else {
            try row.store(db)
            return row.streams(latestIssued: latestIssued)
        }
        let streams = row.streams(latestIssued: latestIssued)
        try row.enter(db, hello.epoch)
        let claimed = Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied)
        let past = try hello.knownEpoch.flatMap { try PeerRuns(db, of: peer).end(of: $0) }
        if !streams.positions.agree(with: hello, epoch: streams.epoch) {
            try startOver(db, &row, latestIssued)
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
        try db.execute(
            cached: "UPDATE peer SET acknowledged = ?, latestAcknowledged = ? WHERE identity = ?",
            arguments: [
                max(done, row.acknowledged), max(acknowledgement.latest, row.latestAcknowledged), row.identity.column,
            ])
    }
}

extension InboundMessage {
    /// Whether a message with this number was applied before.
    func isApplied(_ db: Database) throws -> Bool {
        guard let row = try PeerRow.find(db, peer) else { return false }
        return switch content.delivery {
        case .latest: try row.applied(db, of: epoch).latest >= sequence
        case .queued, .interactive, .complication, .file: try row.applied(db, of: origin).queued >= sequence
        }
    }

    /// Notes that the message is applied, and takes its value.
    func note(_ db: Database) throws {
        guard var row = try PeerRow.find(db, peer) else { return }
        try row.enter(db, epoch)
        switch content.delivery {
        case .latest: row.latestApplied = max(row.latestApplied, sequence)
        case .queued, .interactive, .complication, .file:
            row.queuedApplied = max(row.queuedApplied, sequence)
            if origin != epoch { try noteOrigin(db) }
        }
        switch content {
        case .latest(let name, let payload): try take(db, name, payload, row)
        case .cleared(let name): try take(db, name, nil, row)
        case .queued, .nothing: break
        }
        try row.store(db)
    }

    /// It was issued in another run than the one that has brought it.
    private func noteOrigin(_ db: Database) throws {
        try PeerRuns.change(db, of: peer) { runs in
            var run = runs.former(origin) ?? PeerRuns.Run(epoch: origin, queued: 0, latest: 0)
            run.queued = max(run.queued, sequence)
            runs.remember(run)
        }
    }

    /// Where both sides pass a value under one name at the same moment, the phone's value wins on both.
    private func take(_ db: Database, _ name: MessageName, _ payload: [UInt8]?, _ row: PeerRow) throws {
        guard try peer == .phone || !ValueTable.isUnderWay(db, name, to: row) else { return }
        try ValueTable.accept(db, name, payload)
    }
}
