import WatchLink

/// How the streams to a watch continue after its hello.
package enum FeedResumption: Equatable, Sendable {
    /// The watch remembers the streams: it has applied this much, and gets the changes since then.
    case resume(applied: Acknowledgement)
    /// It does not: the streams get a new epoch, their numbers start again, and the watch gets everything.
    case startOver

    /// Decides from a watch's hello and the stored state of its streams.
    ///
    /// The watch remembers the streams where it names their epoch, has applied no more than was sent, and no less than
    /// it has acknowledged: acknowledged messages have left the queue and cannot be sent again.
    ///
    /// - Parameters:
    ///   - epoch: the epoch of the streams to the watch; nil for an unknown watch.
    ///   - positions: the positions of those streams.
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
