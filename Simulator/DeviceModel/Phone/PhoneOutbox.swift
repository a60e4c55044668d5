import ListFeed
import WatchLink

/// What a simulated phone keeps for its watch: the queue, the latest values, and what the watch has been given.
struct PhoneOutbox {
    /// The epoch of the streams to the watch, never 0.
    private(set) var epoch: UInt32
    /// Where the streams stand.
    var positions = StreamPositions()
    private var projection = FeedProjection.nothing
    /// Messages by sequence, until they are acknowledged.
    private var queue: [UInt32: FeedMessage] = [:]
    private var latest: [ApplicationMessage: (revision: UInt32, message: FeedMessage)] = [:]
    /// The epoch for a watch that does not remember the present one.
    private var nextEpoch: UInt32
    /// The most bytes of a message that the watch takes.
    private var largestBody = 0

    init(epoch: UInt32) {
        self.epoch = epoch
        nextEpoch = epoch
    }

    /// Brings the streams in line with what a watch says when it connects. The phone has one watch, whoever that is.
    mutating func meet(_ hello: PeerHello, overDatagramsOf maximumSDU: Int) {
        let frame = min(maximumSDU, Int(hello.limits.largestSDU))
        largestBody = min(frame - MessageHeader.size, Int(hello.limits.largestMessage))
        switch FeedResumption(hello, epoch: epoch, positions: positions) {
        case .resume(let applied): acknowledged(applied)
        case .startOver:
            epoch = nextEpoch
            nextEpoch = epoch &+ 2
            (positions.queuedIssued, positions.queuedAcknowledged, positions.latestAcknowledged) = (0, 0, 0)
            queue = [:]
            projection = .nothing
        }
    }

    /// Gives the latest values that have changed their new revisions.
    mutating func publish(_ messages: [FeedMessage]) {
        for message in messages where latest[message.name]?.message != message {
            positions.latestIssued += 1
            latest[message.name] = (positions.latestIssued, message)
        }
    }

    /// Queues what the watch lacks of `window`, or what it asks for again.
    mutating func bringUpToDate(
        to window: FeedWindow, reloadToken: UInt32? = nil, beyond: [FeedRow] = []
    ) throws(CBORError) {
        let batches = WatchFeed.batches(
            from: projection, to: window, largestBody: largestBody, reloadToken: reloadToken, beyond: beyond)
        for batch in batches {
            positions.queuedIssued += 1
            queue[positions.queuedIssued] = try batch.message()
            projection.apply(batch)
        }
    }

    /// Drops the messages that the watch has applied.
    mutating func acknowledged(_ word: Acknowledgement) {
        for index in 0..<word.rejected.count {
            guard let message = queue[word.rejected[index].sequence] else { continue }
            if FeedProjection.isLost(rejecting: message.name.text) { projection = .nothing }
        }
        queue = queue.filter { $0.key > word.queued }
        positions.queuedAcknowledged = min(positions.queuedIssued, max(positions.queuedAcknowledged, word.queued))
        positions.latestAcknowledged = word.latest
    }

    func queued(_ sequence: UInt32) -> FeedMessage? { queue[sequence] }

    /// The latest value with the lowest revision above `revision`.
    func value(after revision: UInt32) -> (revision: UInt32, message: FeedMessage)? {
        latest.values.filter { $0.revision > revision }.min { $0.revision < $1.revision }
    }
}
