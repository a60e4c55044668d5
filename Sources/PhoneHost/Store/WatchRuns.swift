import GRDB
import ListFeed
import WatchLink
import Wormhole

/// The applied messages of a watch's runs, as parts of a transaction.
enum WatchRuns {
    /// nil if the run is not remembered.
    static func former(_ db: Database, watch: Int64, epoch: UInt32) throws -> StreamRun? {
        try RunTable.former(db, of: PeerIdentity(column: watch), epoch)
    }

    /// The highest applied sequence of any run, including those before the watch was forgotten.
    ///
    /// - Parameter floor: the watch's last acknowledged message. A watch that has used half of all sequences starts again at 1.
    ///   If `floor` is low, the runs up to the last high sequence do not count.
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

    /// Compares a watch's last acknowledged message with the applied ones.
    ///
    /// - Parameters:
    ///   - sequence: the last acknowledged message.
    ///   - origin: the epoch that issued it; nil if unknown.
    ///   - forgotten: what the database still knows, if the watch was forgotten.
    static func floor(
        _ db: Database, watch: Int64, _ sequence: UInt32, origin: UInt32?, _ forgotten: ForgottenWatch?
    ) throws -> WatchFloor {
        var known = WatchFloor.Origin.unknown
        if let origin {
            let present = try PeerRow.find(db, PeerIdentity(column: watch))?.presentRun
            let run = present?.epoch == origin ? present : try former(db, watch: watch, epoch: origin)
            known = .applied(upTo: run?.queued ?? 0)
            // The list of forgotten watches is limited, but the history still has this watch's check-offs.
            let tap = WatchTap(watch: UInt64(bitPattern: watch), epoch: origin, sequence: sequence)
            if run == nil, try History.has(db, tap) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
            // A forgotten watch's runs are forgotten, too. If they may cover the message, nothing counts as missing.
            if let forgotten, forgotten.mayCover(sequence, of: origin, appliedSince: run?.queued ?? 0) {
                return WatchFloor(sequence, origin: .applied(upTo: sequence), newest: sequence)
            }
        }
        return WatchFloor(
            sequence, origin: known, newest: try newestApplied(db, watch: watch, floor: sequence))
    }

    /// Records that a run's messages up to this sequence are done: applied, or reported as lost.
    static func settle(_ db: Database, watch: Int64, upTo sequence: UInt32, of origin: UInt32) throws {
        let watch = PeerIdentity(column: watch)
        var run = try RunTable.former(db, of: watch, origin) ?? StreamRun(epoch: origin)
        guard sequence > run.queued else { return }
        run.queued = sequence
        try RunTable.remember(db, run, of: watch)
    }
}
