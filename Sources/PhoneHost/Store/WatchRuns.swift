import GRDB
import ListFeed
import WatchLink
import Wormhole

/// What was applied of the runs of a watch, as parts of a transaction.
enum WatchRuns {
    /// The run of the last link with the watch in this row; nil before the first.
    static func present(_ watch: StoredRow) throws -> AppliedMessages? {
        let epoch: UInt32 = try watch["peerEpoch"]
        guard epoch != 0 else { return nil }
        return AppliedMessages(epoch: epoch, queued: try watch["queuedApplied"], latest: try watch["latestApplied"])
    }

    /// An earlier run; nil where it is not remembered.
    static func former(_ db: Database, watch: Int64, epoch: UInt32) throws -> AppliedMessages? {
        try StoredRow.one(
            db, of: "formerEpoch", sql: "SELECT * FROM formerEpoch WHERE watch = ? AND epoch = ?",
            arguments: [watch, epoch]
        ).map { AppliedMessages(epoch: epoch, queued: try $0["queuedApplied"], latest: try $0["latestApplied"]) }
    }

    /// The highest sequence that was applied of any run, also before the watch was forgotten.
    ///
    /// - Parameter floor: the one below which the watch has deleted its messages. A watch that has used half of all
    ///   sequences begins again at 1: where its floor is low, the runs up to the last one with high sequences do not count.
    static func newestApplied(_ db: Database, watch: Int64, floor: UInt32) throws -> UInt32 {
        let limit = FeedResumption.lastNumber
        let mostCounted = floor < limit ? limit - 1 : UInt32.max
        return try StoredRow.one(
            db, of: "formerEpoch",
            sql: """
                SELECT max(queuedApplied) AS queuedApplied FROM appliedRun WHERE watch = :watch AND number > coalesce(
                    (SELECT max(number) FROM appliedRun WHERE watch = :watch AND queuedApplied > :most), -1)
                """, arguments: ["watch": watch, "most": mostCounted])?["queuedApplied"] ?? 0
    }

    /// What a watch says is acknowledged, with what was applied of it.
    ///
    /// - Parameters:
    ///   - sequence: the last message that is acknowledged.
    ///   - origin: the epoch in which it was issued, nil where that is not known.
    ///   - forgotten: what is left of the watch, where it was forgotten.
    static func floor(
        _ db: Database, watch: Int64, _ sequence: UInt32, origin: UInt32?, _ forgotten: ForgottenWatch?
    ) throws -> WatchFloor {
        var known = WatchFloor.Origin.unknown
        if let origin {
            let present = try StoredRow.watch(db, watch).flatMap(present)
            let run = present?.epoch == origin ? present : try former(db, watch: watch, epoch: origin)
            known = .applied(upTo: run?.queued ?? 0)
            // More watches may have been forgotten since than are remembered; what this one checked off is in the history.
            if run == nil, try History.has(db, watch: watch, run: origin, sequence) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
            // The runs of a watch that was forgotten are forgotten too. What is left of them does not say that something is
            // missing.
            if let forgotten, forgotten.mayCover(sequence, of: origin, appliedSince: run?.queued ?? 0) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
        }
        return WatchFloor(
            sequence, origin: known, newest: try newestApplied(db, watch: watch, floor: sequence))
    }

    /// Remembers that the messages of a run up to this sequence are done: applied, or lost and told.
    static func settle(_ db: Database, watch: Int64, upTo sequence: UInt32, of origin: UInt32) throws {
        var run = try former(db, watch: watch, epoch: origin) ?? AppliedMessages(epoch: origin)
        guard run.isNew(queued: sequence) else { return }
        run.queued = sequence
        try remember(db, watch: watch, run)
    }

    /// Stores what was applied of the run that the watch is in. Another one before it becomes a former one.
    static func store(
        _ db: Database, watch: Int64, _ applied: AppliedMessages, after before: AppliedMessages?
    ) throws {
        if let before, before.epoch != applied.epoch {
            try remember(db, watch: watch, before)
            try db.execute(
                cached: "DELETE FROM formerEpoch WHERE watch = ? AND epoch = ?", arguments: [watch, applied.epoch])
        }
        try db.execute(
            cached: "UPDATE watch SET peerEpoch = ?, queuedApplied = ?, latestApplied = ? WHERE identity = ?",
            arguments: [applied.epoch, applied.queued, applied.latest, watch])
    }

    /// Stores what was applied of a former run, as the newest of them.
    static func remember(_ db: Database, watch: Int64, _ run: AppliedMessages) throws {
        try db.execute(
            cached: """
                INSERT OR REPLACE INTO formerEpoch (watch, epoch, queuedApplied, latestApplied) VALUES (?, ?, ?, ?)
                """, arguments: [watch, run.epoch, run.queued, run.latest])
        try dropOldest(
            db, "formerEpoch", of: watch, keeping: AppliedMessages.mostFormerRuns,
            but: "(SELECT floorOrigin FROM watch WHERE identity = :watch)")
    }

    /// What was issued to the watch in an earlier epoch of ours; nil where it is not remembered.
    static func end(_ db: Database, watch: Int64, ofPast epoch: UInt32) throws -> StreamEnd? {
        try StoredRow.one(
            db, of: "pastEpoch", sql: "SELECT * FROM pastEpoch WHERE watch = ? AND epoch = ?",
            arguments: [watch, epoch]
        ).map { StreamEnd(queued: try $0["queuedIssued"], latest: try $0["latestIssued"]) }
    }

    /// The most past epochs of ours that are remembered for one watch.
    static let mostPastEpochs = 64

    /// Begins a run of ours: each watch's streams get a new epoch, in which their numbers go on. An epoch that a hello has
    /// told the watch is remembered with its end.
    static func begin(_ db: Database, _ dependencies: PhoneDependencies) throws {
        try beginRevisionsAgain(db)
        let watches = try StoredRow.all(db, of: "watch", sql: "SELECT * FROM watch")
        var generator = dependencies.generator
        for row in watches {
            let watch: Int64 = try row["identity"]
            let (before, issued): (UInt32, UInt32) = (try row["epoch", 1...UInt32.max], try row["queuedIssued"])
            if try row["announced"] {
                let latest = try LatestStore.newestRevision(db)
                try db.execute(
                    cached: """
                        INSERT OR REPLACE INTO pastEpoch (watch, epoch, queuedIssued, latestIssued) VALUES (?, ?, ?, ?)
                        """, arguments: [watch, before, issued, latest])
                try dropOldest(db, "pastEpoch", of: watch, keeping: mostPastEpochs)
            }
            var epoch = before
            while try epoch == before || end(db, watch: watch, ofPast: epoch) != nil {
                epoch = UInt32.random(in: 1 ... .max, using: &generator)
            }
            try db.execute(
                cached: "UPDATE watch SET epoch = ?, announced = 0 WHERE identity = ?", arguments: [epoch, watch])
        }
    }

    /// Where half of the revisions are used, they start again from 1, and every watch gets everything again.
    private static func beginRevisionsAgain(_ db: Database) throws {
        let host = try StoredRow.one(db, of: "host", sql: "SELECT latestRevision FROM host")
        guard let revision: UInt32 = try host?["latestRevision"], revision >= FeedResumption.lastNumber else { return }
        try db.execute(
            sql: """
                DELETE FROM latest;
                DELETE FROM pastEpoch;
                UPDATE watch SET announced = 0, latestAcknowledged = 0;
                UPDATE host SET latestRevision = 0;
                """)
    }

    /// - Parameter kept: an epoch that stays, however old it is.
    private static func dropOldest(
        _ db: Database, _ table: String, of watch: Int64, keeping most: Int, but kept: String = "0"
    ) throws {
        try db.execute(
            cached: """
                DELETE FROM \(table) WHERE watch = :watch AND epoch <> \(kept) AND number <= (
                    SELECT number FROM \(table) WHERE watch = :watch ORDER BY number DESC LIMIT 1 OFFSET :most)
                """, arguments: ["watch": watch, "most": most])
    }
}

extension PhoneStore {
    /// Begins a run of the host: from now on messages to watches have a new epoch, which no other database and no earlier
    /// state of this one has used. Call it once, before the first watch is served.
    func beginRun() async throws(PhoneError) {
        try await write { [dependencies] db in
            try WatchRuns.begin(db, dependencies)
            try ForgottenWatch.dropOldest(db)
        }
    }
}
