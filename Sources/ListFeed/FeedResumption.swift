import WatchLink

/// How the streams to a watch that has said hello go on.
package enum FeedResumption: Equatable, Sendable {
    /// The watch remembers the streams: it has applied this much of them, and is given what has changed since.
    case resume(applied: Acknowledgement)
    /// It does not: the streams get a new epoch, their numbers begin anew, and the watch is given everything.
    case startOver

    /// Decides for a watch by its hello and by what the host has stored of it.
    ///
    /// The watch remembers the streams where it names their epoch, has applied no more than was sent, and no less than
    /// it has acknowledged: acknowledged messages have left the queue and cannot be sent again.
    ///
    /// - Parameters:
    ///   - epoch: the epoch of the streams to it; nil for a watch that the host does not know.
    ///   - positions: where they stand.
    package init(_ hello: PeerHello, epoch: UInt32?, positions: StreamPositions) {
        guard let epoch, hello.knows(epoch: epoch), positions.agree(with: hello, epoch: epoch),
            hello.queuedApplied >= positions.queuedAcknowledged
        else {
            self = .startOver
            return
        }
        self = .resume(applied: Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied))
    }
}
