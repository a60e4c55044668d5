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
    private var reload = Reload.none
    private var repairedAt: Instant?

    /// The answers to the watch's reloads.
    private enum Reload {
        case none
        /// The queue has an answer, which ends with this message; the newest reload since then waits.
        case answered(upTo: UInt32, waiting: ReloadMessage?)
    }

    init(epoch: UInt32) {
        self.epoch = epoch
        nextEpoch = epoch
    }

    /// Brings the streams in line with what a watch says when it connects. The phone has one watch, whoever that is.
    mutating func meet(_ hello: PeerHello, overDatagramsOf maximumSDU: Int, at now: Instant) {
        let frame = min(maximumSDU, Int(hello.limits.largestSDU))
        largestBody = min(frame - MessageHeader.size, Int(hello.limits.largestMessage))
        switch FeedResumption(hello, epoch: epoch, positions: positions, past: { _ in nil }) {
        case .resume(let applied):
            acknowledged(applied)
            if case .rows(let check) = hello.report { compare(check, applied: hello.queuedApplied, at: now) }
        case .startOver:
            epoch = nextEpoch
            nextEpoch = epoch &+ 2
            (positions.queuedIssued, positions.queuedAcknowledged, positions.latestAcknowledged) = (0, 0, 0)
            queue = [:]
            reload = .none
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

    /// The watch asks for its list again. While an answer is in the queue, the newest request waits for it.
    mutating func request(_ message: ReloadMessage) {
        switch reload {
        case .none: reload = .answered(upTo: positions.queuedAcknowledged, waiting: message)
        case .answered(let answer, _): reload = .answered(upTo: answer, waiting: message)
        }
    }

    /// Queues what the watch lacks of `window`, or what it asks for again.
    ///
    /// - Parameter beyond: the rows behind the window, for a reload of everything.
    mutating func bringUpToDate(to window: FeedWindow, beyond: @autoclosure () -> [FeedRow]) throws(CBORError) {
        let due = dueReload
        let batches = WatchFeed.batches(
            from: projection, to: window, largestBody: largestBody, reloadToken: due?.token,
            beyond: due?.extent == .everything ? beyond() : [])
        for batch in batches {
            positions.queuedIssued += 1
            queue[positions.queuedIssued] = try batch.message(applied: positions.queuedApplied)
            projection.apply(batch)
        }
        if due != nil { reload = .answered(upTo: positions.queuedIssued, waiting: nil) }
    }

    /// The reload to answer now.
    var dueReload: ReloadMessage? {
        guard case .answered(let answer, let waiting?) = reload, answer <= positions.queuedAcknowledged else {
            return nil
        }
        return waiting
    }

    /// The watch has sent a check-off of this item, and taken its row off.
    mutating func checkOffArrived(of item: UInt32) {
        projection.checkOffArrived(of: item)
    }

    /// Compares the rows check of a watch that has applied our messages up to `applied`. Where the watch has other rows,
    /// it gets the list again.
    mutating func compare(_ reported: UInt32, applied: UInt32, at now: Instant) {
        let agreement = RowsAgreement(
            reported: reported, projection: projection, isComplete: applied == positions.queuedIssued,
            sinceRepair: repairedAt.map { Double((now - $0).count) / 1_000_000 })
        switch agreement {
        case .agreed, .repairedLately: break
        case .repair:
            projection = .nothing
            repairedAt = now
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
