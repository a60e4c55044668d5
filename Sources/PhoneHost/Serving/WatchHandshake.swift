import Foundation
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
    private(set) var notices: [WatchNews] = []
    /// The files of transfers to watches that were forgotten, which are to be removed.
    private(set) var leftFiles: [String] = []

    /// Whether there are new latest values, for every watch.
    private(set) var latest = LatestPublication.Outcome.unchanged

    init(peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32) {
        self.peer = peer
        self.handshake = handshake
        self.newEpoch = newEpoch
    }

    /// Updates the row of the watch, its queue and its projection from its hello, and queues what it lacks.
    mutating func resume(_ db: Database, _ dependencies: PhoneDependencies) throws -> PeerStreams {
        let list = try FeedStore.PresentList(db)
        latest = try FeedStore.publishLatest(db, list, dependencies).outcome
        let known = try StoredRow.watch(db, peer.stored)
        guard let handshake else {
            return try known.map { try streams(db, $0, lost: 0) }
                ?? PeerStreams(epoch: newEpoch, positions: StreamPositions())
        }
        let now = dependencies.now()
        if known == nil { try makeRoom(db) }
        let resumption = try resumption(db, handshake.hello, known)
        try enter(db, handshake, at: now)
        try bind(db, handshake.peer)
        let lost = try enterRun(db, handshake.hello, after: resumption)
        switch resumption {
        case .resume(let applied):
            try WatchAcknowledgement.remove(db, applied, of: peer.stored)
            try compareRows(db, handshake.hello, at: now)
        case .startOver(let reason):
            try startOver(db, reason)
            if isFromLater(handshake.hello, reason) { try PastItemTable.takeBackUnknown(db) }
        }
        guard let before = try StoredRow.watch(db, peer.stored) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let queued = try FeedStore.bringUpToDate(db, before, watch: peer.stored, to: list)
        let row = queued > 0 ? try StoredRow.watch(db, peer.stored) ?? before : before
        return try streams(db, row, lost: lost)
    }

    // MARK: Our streams

    private func resumption(_ db: Database, _ hello: PeerHello, _ known: StoredRow?) throws -> FeedResumption {
        guard let known else {
            return FeedResumption(hello, epoch: nil, positions: StreamPositions(), past: { _ in nil })
        }
        let streams = try streams(db, known, lost: 0)
        var positions = streams.positions
        positions.latestIssued = try LatestStore.newestRevision(db)
        return try FeedResumption(hello, epoch: streams.epoch, positions: positions) { epoch in
            try WatchRuns.end(db, watch: peer.stored, ofPast: epoch)
        }
    }

    /// Whether a watch remembers a run that this database may have had after it was copied.
    private func isFromLater(_ hello: PeerHello, _ reason: FeedResumption.StartOver) -> Bool {
        switch reason {
        case .newWatch: hello.knownEpoch.map { $0 != 0 } ?? false
        case .unknownEpoch, .restoredPhone: true
        case .forgetfulWatch, .restoredWatch, .numbersUsedUp: false
        }
    }

    private mutating func startOver(_ db: Database, _ reason: FeedResumption.StartOver) throws {
        switch reason {
        case .newWatch: break
        case .forgetfulWatch, .unknownEpoch, .restoredPhone, .restoredWatch, .numbersUsedUp:
            notices.append(WatchNews(peer, .startedOver(reason)))
        }
        try FeedStore.forget(db, watch: peer.stored)
        try db.execute(cached: "DELETE FROM pastEpoch WHERE watch = ?", arguments: [peer.stored])
        try db.execute(
            cached: """
                UPDATE watch SET epoch = ?, queuedIssued = 0, queuedAcknowledged = 0, latestAcknowledged = 0
                WHERE identity = ?
                """, arguments: [newEpoch, peer.stored])
        try PassedMessages.requeue(db, for: peer)
    }

    private mutating func compareRows(_ db: Database, _ hello: PeerHello, at now: Date) throws {
        guard case .rows(let check) = hello.report, let row = try StoredRow.watch(db, peer.stored) else {
            return
        }
        notices += try RowsRepair(reported: check, applied: hello.queuedApplied).compare(db, row, peer, at: now)
    }

    // MARK: The watch

    /// Inserts or updates the row of the watch.
    private func enter(_ db: Database, _ handshake: PeerHandshake, at time: Date) throws {
        let now = time.storedMilliseconds
        let name = handshake.hello.name
        let text = String(decoding: (0..<name.count).map { name.utf8[$0] }, as: UTF8.self)
        try db.execute(
            cached: """
                INSERT INTO watch (identity, name, firstMetAt, lastMetAt, largestBody, epoch, floor, floorOrigin)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    name = excluded.name, lastMetAt = excluded.lastMetAt, largestBody = excluded.largestBody,
                    floor = excluded.floor, floorOrigin = excluded.floorOrigin, announced = 1
                """,
            arguments: [
                peer.stored, (try? CleanTitle(text))?.text ?? "", now, now, handshake.largestBody, newEpoch,
                handshake.hello.queuedFloor, handshake.hello.floorOrigin ?? 0,
            ])
    }

    /// Binds the watch to the bond that it has come over.
    private mutating func bind(_ db: Database, _ device: TransportPeer) throws {
        if let bond = try WatchBond.obstacle(db, to: device, being: peer.stored) {
            throw PhoneError.storage(path: nil, reason: "watch \(peer) belongs to the device \(bond)")
        }
        guard let former = try WatchBond.bind(db, device, to: peer.stored) else { return }
        notices.append(WatchNews(PeerIdentity(stored: former), .succeeded(by: peer)))
    }

    /// Notes the run that the watch is in; returns how many of its messages this database has lost.
    private mutating func enterRun(
        _ db: Database, _ hello: PeerHello, after resumption: FeedResumption
    ) throws -> UInt32 {
        let watch = peer.stored
        let present = try StoredRow.watch(db, watch).flatMap(WatchRuns.present)
        let forgotten = try ForgottenWatch(db, watch: watch)
        if let present, present.epoch != hello.epoch {
            try PassedValueTable.begin(db, of: peer, applied: present.latest, issued: hello.latestIssued)
        }
        let missed = try missed(db, hello, after: resumption, present: present, forgotten)
        let arrival = WatchReturn(
            hello, present: present, former: try WatchRuns.former(db, watch: watch, epoch: hello.epoch),
            floor: try WatchRuns.floor(db, watch: watch, hello.queuedFloor, origin: hello.floorOrigin, forgotten))
        try WatchRuns.store(db, watch: watch, arrival.applied, after: present)
        switch arrival.run {
        case .present, .new: break
        case .former: notices.append(WatchNews(peer, .sharesIdentity))
        }
        return missed + arrival.lost
    }

    /// How many messages an older copy of this database lacks of those before the watch's numbers began again.
    private mutating func missed(
        _ db: Database, _ hello: PeerHello, after resumption: FeedResumption, present: AppliedMessages?,
        _ forgotten: ForgottenWatch?
    ) throws -> UInt32 {
        if let present {
            guard resumption.isOlderDatabase else { return 0 }
            let newest = try WatchRuns.newestApplied(db, watch: peer.stored, floor: 0)
            return WatchReturn.missed(hello, present: present, newest: newest)
        }
        // One that was forgotten, and remembers a later run of this phone, has been here since.
        guard let claimed = hello.knownEpoch, let forgotten, forgotten.isBefore(claimed) else { return 0 }
        let before = AppliedMessages(epoch: hello.epoch, queued: forgotten.queued)
        let missed = WatchReturn.missed(hello, present: before, newest: forgotten.queued)
        if missed > 0 { notices.append(WatchNews(peer, .startedOver(.unknownEpoch))) }
        return missed
    }

    /// Forgets the watches of local sockets that were away longest, so that there is room for one more. A program may claim
    /// any number of identities, so their check-offs without an effect go from the history too.
    private mutating func makeRoom(_ db: Database) throws {
        let oldest = try StoredRow.all(
            db, of: "watch",
            sql: """
                SELECT identity FROM watch WHERE bond IS NULL ORDER BY lastMetAt DESC, identity LIMIT -1 OFFSET ?
                """, arguments: [WatchHandshake.mostLocalWatches - 1])
        for row in oldest {
            let identity: Int64 = try row["identity"]
            leftFiles += try TransferTable.ownFiles(db, of: PeerIdentity(stored: identity))
            try db.execute(cached: "DELETE FROM watch WHERE identity = ?", arguments: [identity])
            try History.dropWithoutEffect(db, of: identity)
            notices.append(WatchNews(PeerIdentity(stored: identity), .forgotten))
        }
        if !oldest.isEmpty { try ForgottenWatch.dropOldest(db) }
    }

    /// The positions of the streams.
    private func streams(_ db: Database, _ row: StoredRow, lost: UInt32) throws -> PeerStreams {
        var positions = StreamPositions()
        positions.queuedIssued = try row["queuedIssued"]
        positions.queuedAcknowledged = try row["queuedAcknowledged", 0...positions.queuedIssued]
        positions.latestIssued = try LatestStore.issued(db, to: peer.stored)
        positions.latestAcknowledged = try row["latestAcknowledged"]
        if let applied = try WatchRuns.present(row) {
            positions.peerEpoch = applied.epoch
            positions.queuedApplied = applied.queued
            positions.latestApplied = applied.latest
        }
        return PeerStreams(epoch: try row["epoch", 1...UInt32.max], positions: positions, lost: lost)
    }
}

extension PeerIdentity {
    /// The identity as the database keeps it: the same 64 bits.
    var stored: Int64 { column }

    init(stored: Int64) {
        self.init(rawValue: UInt64(bitPattern: stored))
    }
}
