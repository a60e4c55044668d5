import GRDB
import ListFeed
import WatchLink
import Wormhole

/// What was applied of the runs of a watch, as parts of a transaction.
enum WatchRuns {
    /// What was applied of an earlier run; nil where it is not remembered.
    static func former(_ db: Database, watch: Int64, epoch: UInt32) throws -> AppliedMessages? {
        try RunTable.former(db, of: PeerIdentity(stored: watch), epoch).map(AppliedMessages.init)
    }

    /// The highest sequence that was applied of any run, also before the watch was forgotten.
    ///
    /// - Parameter floor: the one below which the watch has deleted its messages. A watch that has used half of all
    ///   sequences begins again at 1: where its floor is low, the runs up to the last one with high sequences do not count.
    static func newestApplied(_ db: Database, watch: Int64, floor: UInt32) throws -> UInt32 {
        let limit = FeedResumption.lastNumber
        let mostCounted = floor < limit ? limit - 1 : UInt32.max
        return try StoredRow.one(
            db, of: "formerRun",
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
            let present = try PeerRow.find(db, PeerIdentity(stored: watch))?.presentRun.map(AppliedMessages.init)
            let run = present?.epoch == origin ? present : try former(db, watch: watch, epoch: origin)
            known = .applied(upTo: run?.queued ?? 0)
            // More watches may have been forgotten since than are remembered; what this one checked off is in the history.
            let tap = WatchTap(watch: UInt64(bitPattern: watch), epoch: origin, sequence: sequence)
            if run == nil, try History.has(db, tap) {
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
        let watch = PeerIdentity(stored: watch)
        var run = try RunTable.former(db, of: watch, origin) ?? StreamRun(epoch: origin)
        guard sequence > run.queued else { return }
        run.queued = sequence
        try RunTable.remember(db, run, of: watch)
    }
}

extension AppliedMessages {
    init(_ run: StreamRun) { self.init(epoch: run.epoch, queued: run.queued, latest: run.latest) }
}
