import GRDB
import WatchLink
import Wormhole

/// What programs of the owner have passed to watches beside the list feed, as parts of a transaction. They share the queue
/// of a watch with the feed.
enum PassedMessages {
    /// A program finds the queue of a watch full where this number of messages waits in it: half of it is for the list.
    static let mostWaiting = FeedStore.mostWaiting / 2

    /// Puts a message at the end of a watch's queue.
    ///
    /// - Returns: its numbers; or `.unknownPeer` or `.queueFull`, with nothing changed.
    static func append(
        _ db: Database, _ message: OutboundMessage, to watch: PeerIdentity, paying payment: ComplicationPayment?
    ) throws -> Result<IssuedMessage, WormholeError> {
        guard let row = try StoredRow.watch(db, watch.column) else { return .failure(.unknownPeer) }
        guard try OutgoingQueue(row).waiting < mostWaiting else { return .failure(.queueFull(limit: mostWaiting)) }
        let epoch: UInt32 = try row["epoch"]
        let sequence = try FeedStore.issue(db, to: watch.column)
        return .success(try QueueTable.enter(db, message, sequence, of: epoch, to: watch, paying: payment))
    }

    /// The queue of a watch begins again at 1: what waits goes to its front.
    static func requeue(_ db: Database, for watch: PeerIdentity) throws {
        try QueueTable.renumber(db, of: watch) { try FeedStore.issue(db, to: watch.column) }
    }
}
