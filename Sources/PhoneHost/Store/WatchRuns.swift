import GRDB
import WatchLink
import Wormhole

/// The messages that the phone has applied in each run of a watch. A run is the time between two starts of the watch.
enum WatchRuns {
    /// The highest message number that the phone has applied, over all runs of the watch.
    ///
    /// A watch that has used half of all numbers begins again at 1. If `floor` is in the lower half, numbers in the upper half
    /// are from before that. The last run with such a number, and all runs before it, do not count.
    ///
    /// - Parameter floor: the number of the last message that the watch knows to be acknowledged.
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

    /// Compares what a watch knows to be acknowledged with what the phone has applied. If the phone has less, it lost messages.
    ///
    /// - Parameters:
    ///   - sequence: the number of the last message that the watch knows to be acknowledged.
    ///   - origin: the epoch of the run that issued that message; nil if unknown.
    static func floor(
        _ db: Database, watch: Int64, _ sequence: UInt32, origin: UInt32?, _ forgotten: ForgottenWatch?
    ) throws -> WatchFloor {
        var known = WatchFloor.Origin.unknown
        if let origin {
            let present = try PeerRow.find(db, PeerIdentity(column: watch))?.presentRun
            let run =
                present?.epoch == origin ? present : try RunTable.former(db, of: PeerIdentity(column: watch), origin)
            known = .applied(upTo: run?.queued ?? 0)
            // If the watch was forgotten long ago, its record may be deleted. The history still has its check-offs.
            let tap = WatchTap(watch: UInt64(bitPattern: watch), epoch: origin, sequence: sequence)
            if run == nil, try History.has(db, tap) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
            // A forgotten watch has no runs. If the message may be from one of them, nothing counts as missing.
            if let forgotten, forgotten.mayCover(sequence, of: origin, appliedSince: run?.queued ?? 0) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
        }
        return WatchFloor(
            sequence, origin: known, newest: try newestApplied(db, watch: watch, floor: sequence))
    }

    /// Records that a run's messages up to this number need no further work: they are applied, or reported as lost.
    static func settle(_ db: Database, watch: Int64, upTo sequence: UInt32, of origin: UInt32) throws {
        let watch = PeerIdentity(column: watch)
        var run = try RunTable.former(db, of: watch, origin) ?? StreamRun(epoch: origin)
        guard sequence > run.queued else { return }
        run.queued = sequence
        try RunTable.remember(db, run, of: watch)
    }
}
