import GRDB
import ListFeed
import WatchLink
import Wormhole

/// What is left of a watch that was forgotten.
struct ForgottenWatch {
    /// The highest sequence that was applied of the numbers that it had then.
    let queued: UInt32
    /// Its run of the last link, and the one that issued the last message that was acknowledged; 0 where it is not known.
    private let runs: [UInt32]
    /// Our epochs that it may know from then; 0 where it is not known.
    private let epochs: [UInt32]

    /// Nil for one that was not forgotten.
    init?(_ db: Database, watch: Int64) throws {
        guard
            let row = try StoredRow.one(
                db, of: "forgotten", sql: "SELECT * FROM forgotten WHERE watch = ?", arguments: [watch])
        else { return nil }
        queued = try row["queuedApplied"]
        runs = [try row["run"], try row["floorOrigin"]]
        epochs = [try row["epoch"], try row["epochBefore"]]
    }

    /// Forgets a watch. The oldest that were forgotten are forgotten for good where there are too many.
    static func forget(_ db: Database, _ watch: PeerIdentity) throws {
        // A trigger notes what is left of it.
        try PeerRow.forget(db, watch)
        try db.execute(
            cached: """
                DELETE FROM forgotten WHERE number <= (
                    SELECT number FROM forgotten ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [AppliedMessages.mostFormerRuns])
    }

    /// Whether a message that was acknowledged may have been applied before the watch was forgotten.
    ///
    /// - Parameters:
    ///   - origin: the run that issued it.
    ///   - newest: the highest sequence of that run that was applied since, 0 for none.
    func mayCover(_ sequence: UInt32, of origin: UInt32, appliedSince newest: UInt32) -> Bool {
        // So far from each other two numbers are not, unless the numbers have begun again between them: before the watch was
        // forgotten, and an older flash was put back, or since.
        let furthest = FeedResumption.lastNumber / 2
        if sequence > queued { return sequence - queued > furthest }
        return queued - sequence <= furthest && (newest == 0 || runs.contains(origin))
    }

    /// Whether a watch that remembers this epoch of ours has been here after it was forgotten.
    func isBefore(_ epoch: UInt32) -> Bool {
        epochs.contains { $0 != 0 } && !epochs.contains(epoch)
    }
}
