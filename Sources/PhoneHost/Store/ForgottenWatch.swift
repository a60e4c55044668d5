import GRDB
import WatchLink
import Wormhole

/// What the database still knows about a watch that it has forgotten. If the watch connects again, these numbers show
/// which of its messages the phone had already applied.
///
/// A run is the time from one start of a watch or phone to its next start. An epoch is a random number that identifies
/// a run.
struct ForgottenWatch {
    static let most = 1_024

    /// The highest message number of the watch that the phone had applied when it forgot the watch.
    let queued: UInt32
    /// The epoch of the watch's last link, and the epoch in which the watch issued its last acknowledged message. An epoch
    /// is 0 if unknown.
    private let runs: [UInt32]
    /// The two newest epochs that the phone announced to the watch. The watch may remember either. An epoch is 0 if
    /// unknown.
    private let epochs: [UInt32]

    init?(_ db: Database, watch: Int64) throws {
        guard
            let row = try StoredRow.one(
                db, of: "forgotten", sql: "SELECT * FROM forgotten WHERE watch = ?", arguments: [watch])
        else { return nil }
        queued = try row["queuedApplied"]
        runs = [try row["run"], try row["floorOrigin"]]
        epochs = [try row["epoch"], try row["epochBefore"]]
    }

    /// Deletes a watch and everything stored for it, and stores a `ForgottenWatch`. If there are more than `most`, deletes
    /// the oldest `ForgottenWatch`.
    static func forget(_ db: Database, _ watch: PeerIdentity) throws {
        // A trigger copies the numbers to `forgotten`.
        try PeerRow.forget(db, watch)
        try db.execute(
            cached: """
                DELETE FROM forgotten WHERE number <= (
                    SELECT number FROM forgotten ORDER BY number DESC LIMIT 1 OFFSET ?)
                """, arguments: [most])
    }

    /// Whether the phone may have applied a message before it forgot the watch.
    ///
    /// - Parameters:
    ///   - sequence: the number of the message, which the watch knows to be acknowledged.
    ///   - origin: the epoch of the run that issued the message.
    ///   - newest: the number of the run's newest message that the phone has applied since it forgot the watch; 0 for
    ///     none.
    func mayCover(_ sequence: UInt32, of origin: UInt32, appliedSince newest: UInt32) -> Bool {
        // If two numbers are further apart, the watch has restarted its numbers at 1, or an older copy of its flash was restored.
        let furthest = FeedResumption.lastNumber / 2
        if sequence > queued { return sequence - queued > furthest }
        return queued - sequence <= furthest && (newest == 0 || runs.contains(origin))
    }

    /// Whether the phone forgot the watch before it announced `epoch`, an epoch of the phone that the watch remembers.
    /// False if both `epochs` are unknown.
    func isBefore(_ epoch: UInt32) -> Bool {
        epochs.contains { $0 != 0 } && !epochs.contains(epoch)
    }
}
