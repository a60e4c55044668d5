import GRDB
import WatchLink
import Wormhole

/// Reads and records which messages the phone has applied from each run of a watch. A run lasts from one start of the
/// watch to the next. An epoch is the random number of a run.
enum WatchRuns {
    /// Returns the highest number among a watch's messages that the phone has applied, in any run of the watch.
    ///
    /// After number 2^31, a watch numbers its messages from 1 again. If `floor` is below 2^31, this function ignores
    /// the last run that reached 2^31, and all runs before it.
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

    /// Counts the messages of a watch that the phone acknowledged and then lost. The count is `lost` of the result.
    ///
    /// - Parameters:
    ///   - sequence: the number of the last message that the watch knows to be acknowledged.
    ///   - origin: the epoch of the run in which the watch issued that message; nil if unknown.
    static func floor(
        _ db: Database, watch: Int64, _ sequence: UInt32, origin: UInt32?, _ forgotten: ForgottenWatch?
    ) throws -> WatchFloor {
        var known = WatchFloor.Origin.unknown
        if let origin {
            let present = try PeerRow.find(db, PeerIdentity(column: watch))?.presentRun
            let run =
                present?.epoch == origin ? present : try RunTable.former(db, of: PeerIdentity(column: watch), origin)
            known = .applied(upTo: run?.queued ?? 0)
            // If the phone forgot the watch long ago, it may also have deleted the `ForgottenWatch` record. The history
            // still has the watch's check-offs.
            let tap = WatchTap(watch: UInt64(bitPattern: watch), epoch: origin, sequence: sequence)
            if run == nil, try History.has(db, tap) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
            // When the phone forgets a watch, it deletes the watch's runs. If the message may be from a deleted run, no
            // message counts as lost.
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
