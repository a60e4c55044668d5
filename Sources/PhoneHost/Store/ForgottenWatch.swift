import GRDB
import ListFeed
import WatchLink
import Wormhole

/// What the database still knows about a forgotten watch.
struct ForgottenWatch {
    /// The most forgotten watches in the database.
    static let most = 1_024

    /// The highest sequence that was applied when the watch was forgotten.
    let queued: UInt32
    /// The watch's run of its last link, and the run of its last acknowledged message; 0 if unknown.
    private let runs: [UInt32]
    /// The phone's epochs that the watch may remember; 0 if unknown.
    private let epochs: [UInt32]

    /// nil if the watch was not forgotten.
    init?(_ db: Database, watch: Int64) throws {
        guard
            let row = try StoredRow.one(
                db, of: "forgotten", sql: "SELECT * FROM forgotten WHERE watch = ?", arguments: [watch])
        else { return nil }
        queued = try row["queuedApplied"]
        runs = [try row["run"], try row["floorOrigin"]]
        epochs = [try row["epoch"], try row["epochBefore"]]
    }

    /// Forgets a watch. Beyond the limit, the oldest forgotten watches are deleted permanently.
    static func forget(_ db: Database, _ watch: PeerIdentity) throws {
        // A trigger inserts the row of `forgotten`.
        try PeerRow.forget(db, watch)
        try db.execute(
            cached: """
                DELETE FROM forgotten WHERE number <= (
                    SELECT number FROM forgotten ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [most])
    }

    /// Whether an acknowledged message may have been applied before the watch was forgotten.
    ///
    /// - Parameters:
    ///   - origin: the run that issued it.
    ///   - newest: the highest sequence of that run that was applied since then, 0 for none.
    func mayCover(_ sequence: UInt32, of origin: UInt32, appliedSince newest: UInt32) -> Bool {
        // Two numbers this far apart mean that the numbers started again between them: after the watch was forgotten, or before,
        // if an older copy of its flash was put back.
        let furthest = FeedResumption.lastNumber / 2
        if sequence > queued { return sequence - queued > furthest }
        return queued - sequence <= furthest && (newest == 0 || runs.contains(origin))
    }

    /// Whether a watch that remembers this epoch of the phone has connected after it was forgotten.
    func isBefore(_ epoch: UInt32) -> Bool {
        epochs.contains { $0 != 0 } && !epochs.contains(epoch)
    }
}
