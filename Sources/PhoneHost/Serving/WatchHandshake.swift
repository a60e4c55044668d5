import Foundation
import GRDB
import WatchLink
import Wormhole

/// Handles a watch's hello, the first message of a link, as part of a transaction.
struct WatchHandshake {
    /// The maximum number of watches without a Bluetooth bond that the phone remembers. They connect on local sockets,
    /// where any program of this user can invent watches.
    static let mostLocalWatches = 256

    let peer: PeerIdentity
    let handshake: PeerHandshake
    /// The positions of the watch's message streams before this hello; nil for a new watch.
    let known: PeerRow?
    private(set) var notices: [WatchNews] = []
    /// Whether `begin` has published new values (`Delivery.latest`), which every watch gets.
    private(set) var hasPublished = false

    /// Records the watch. Decides whether the message streams continue or start over, and counts the watch's messages that
    /// the phone had applied and has lost.
    mutating func begin(_ db: Database, _ dependencies: PhoneDependencies) throws -> (StreamContinuation, lost: UInt32)
    {
        hasPublished = try FeedStore.publishLatest(db, FeedStore.PresentList(db), dependencies).isNew
        if known == nil { try makeRoom(db) }
        let resumption = try resumption(db)
        try enter(db, at: dependencies.now())
        try bind(db)
        let lost = try lost(db, after: resumption)
        switch resumption {
        case .resume(let applied): return (.resume(applied: applied), lost)
        case .startOver(let reason):
            try startOver(db, reason)
            return (.startOver, lost)
        }
    }

    // MARK: The streams to the watch

    private func resumption(_ db: Database) throws -> FeedResumption {
        try FeedResumption(
            handshake.hello, epoch: known?.epoch,
            positions: known?.positions(latestIssued: try ValueTable.newestRevision(db)) ?? StreamPositions()
        ) { epoch in
            try RunTable.past(db, of: peer, epoch)
        }
    }

    /// Whether this database may be an older copy that was restored: the watch knows an epoch or a message of the
    /// phone, but the database does not.
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
        if isFromLater(handshake.hello, reason) { try PastItemTable.withdrawUnknownOffer(db) }
    }

    // MARK: The watch

    private func enter(_ db: Database, at time: Date) throws {
        let now = time.storedMilliseconds
        let name = handshake.hello.name
        let text = String(decoding: (0..<name.count).map { name.utf8[$0] }, as: UTF8.self)
        try db.execute(
            cached: """
                INSERT INTO watch (identity, name, firstMetAt, lastMetAt, largestBody) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (identity) DO UPDATE SET
                    name = excluded.name, lastMetAt = excluded.lastMetAt, largestBody = excluded.largestBody
                """,
            arguments: [peer.column, (try? CleanTitle(text))?.text ?? "", now, now, handshake.largestBody])
    }

    private mutating func bind(_ db: Database) throws {
        let device = handshake.peer
        if let bond = try WatchBond.obstacle(db, to: device, being: peer.column) {
            throw PhoneError.storage(path: nil, reason: "watch \(peer) belongs to the device \(bond)")
        }
        guard let former = try WatchBond.bind(db, device, to: peer.column) else { return }
        notices.append(WatchNews(PeerIdentity(column: former), .succeeded(by: peer)))
    }

    private mutating func lost(_ db: Database, after resumption: FeedResumption) throws -> UInt32 {
        let (hello, watch) = (handshake.hello, peer.column)
        let present = known?.presentRun
        let forgotten = try ForgottenWatch(db, watch: watch)
        let missed = try missed(db, hello, after: resumption, present: present, forgotten)
        let arrival = WatchReturn(
            hello, present: present, former: try RunTable.former(db, of: peer, hello.epoch),
            floor: try WatchRuns.floor(db, watch: watch, hello.queuedFloor, origin: hello.floorOrigin, forgotten))
        switch arrival.run {
        case .present, .new: break
        case .former: notices.append(WatchNews(peer, .sharesIdentity))
        }
        return missed + arrival.lost
    }

    /// Counts the watch's messages that are missing in this database because an older copy of the database was restored.
    /// Counts them only if the watch has restarted its message numbers at 1 since that copy was made. Otherwise the result
    /// is 0, because `WatchFloor` counts them.
    private mutating func missed(
        _ db: Database, _ hello: PeerHello, after resumption: FeedResumption, present: StreamRun?,
        _ forgotten: ForgottenWatch?
    ) throws -> UInt32 {
        if let present {
            guard resumption.isOlderDatabase else { return 0 }
            let newest = try WatchRuns.newestApplied(db, watch: peer.column, floor: 0)
            return WatchReturn.missed(hello, present: present, newest: newest)
        }
        // If the watch remembers a later run of this phone, the watch has connected since this database forgot it.
        guard let claimed = hello.knownEpoch, let forgotten, forgotten.isBefore(claimed) else { return 0 }
        let before = StreamRun(epoch: hello.epoch, queued: forgotten.queued)
        let missed = WatchReturn.missed(hello, present: before, newest: forgotten.queued)
        if missed > 0 { notices.append(WatchNews(peer, .startedOver(.unknownEpoch))) }
        return missed
    }

    /// Makes room for one more watch: forgets the local watches that were away longest, because a program may invent any
    /// number of watches. Also deletes the forgotten watches' history entries that had no effect.
    private mutating func makeRoom(_ db: Database) throws {
        let oldest = try StoredRow.all(
            db, of: "watch",
            sql: """
                SELECT identity FROM watch WHERE bond IS NULL ORDER BY lastMetAt DESC, identity LIMIT -1 OFFSET ?
                """, arguments: [WatchHandshake.mostLocalWatches - 1])
        for row in oldest {
            let identity: Int64 = try row["identity"]
            try ForgottenWatch.forget(db, PeerIdentity(column: identity))
            try History.dropWithoutEffect(db, of: identity, keeping: 0)
            notices.append(WatchNews(PeerIdentity(column: identity), .forgotten))
        }
    }
}

/// Connects each watch's identity with at most one Bluetooth bond, and each bond with one identity. Local sockets have no
/// bonds.
enum WatchBond {
    /// Returns the address of the bonded device that owns the identity `watch`, if that is not `device`. Nil if `device`
    /// may use the identity.
    ///
    /// An identity without a bond goes to the first bonded device that claims it.
    static func obstacle(_ db: Database, to device: TransportPeer, being watch: Int64) throws -> String? {
        guard let address = address(of: device) else { return nil }
        let row = try StoredRow.one(
            db, of: "watch", sql: "SELECT bond FROM watch WHERE identity = ?", arguments: [watch])
        guard let row, let bond: String = try row["bond"], bond != address else { return nil }
        return bond
    }

    /// Connects an identity with the device's bond. If the bond had another identity, forgets that watch and returns its
    /// identity, because a watch changes its identity only in a factory reset.
    static func bind(_ db: Database, _ device: TransportPeer, to watch: Int64) throws -> Int64? {
        guard let address = address(of: device) else { return nil }
        let former: Int64? = try StoredRow.one(
            db, of: "watch", sql: "SELECT identity FROM watch WHERE bond = ? AND identity <> ?",
            arguments: [address, watch])?["identity"]
        if let former { try ForgottenWatch.forget(db, PeerIdentity(column: former)) }
        try db.execute(cached: "UPDATE watch SET bond = ? WHERE identity = ?", arguments: [address, watch])
        return former
    }

    private static func address(of device: TransportPeer) -> String? {
        switch device {
        case .bondedDevice(let address): address
        case .process, .unknown: nil
        }
    }
}
