import WatchLink

/// What a phone learns from a watch's hello. The phone compares the hello with its records about this watch.
///
/// A run is the time from one start of the watch to the next.
package struct WatchReturn: Equatable, Sendable {
    /// How the run in the hello relates to the runs that the phone knows.
    package enum Run: Equatable, Sendable {
        /// The watch is still in the run of its last link, or the phone knows no earlier link of the watch.
        case present
        /// The phone does not know the run, but knows earlier ones. Usually the watch has restarted since its last link.
        case new
        /// The watch is in an earlier run, although the phone has seen a later run. So two watches have this identity.
        case former
    }

    package let run: Run
    /// The highest message numbers that the phone has applied from the hello's run.
    package let applied: StreamRun
    /// The number of messages that the phone acknowledged and later lost. The watch has deleted these messages, so it cannot
    /// send them again.
    package let lost: UInt32

    /// - Parameters:
    ///   - present: what the phone applied of the run of the last link; nil if the phone knows no earlier link of this watch.
    ///   - former: what the phone applied of the run in the hello, if the phone knows this run from an earlier link; otherwise
    ///     nil.
    ///   - floor: the last message that the watch knows to be acknowledged, and what the phone knows about it.
    package init(_ hello: PeerHello, present: StreamRun?, former: StreamRun?, floor: WatchFloor) {
        if let present, present.epoch == hello.epoch {
            (run, applied) = (.present, present)
        } else if let former {
            (run, applied) = (.former, former)
        } else {
            (run, applied) = (present == nil ? .present : .new, StreamRun(epoch: hello.epoch))
        }
        lost = floor.lost
    }

    /// Counts messages of the watch that the phone's database lacks, because an older copy of the database was restored.
    ///
    /// A watch numbers its messages from 1 again once the numbers have reached 2^31. If the watch has not done this since the
    /// copy was made, the result is 0. Otherwise the result is the number of messages after `newest` and up to number 2^31. If
    /// the copy already had a number of at least 2^31, the exact result is unknown, and the function returns 1.
    ///
    /// - Parameters:
    ///   - present: what the restored database has applied of the run of the watch's last link.
    ///   - newest: the highest message number that the restored database has applied, over all runs.
    package static func missed(_ hello: PeerHello, present: StreamRun, newest: UInt32) -> UInt32 {
        let half = FeedResumption.lastNumber
        if present.queued >= half, hello.queuedIssued < half { return 1 }
        // A smaller difference means that an older copy of the watch's flash was restored. This assumes that the watch had issued
        // at most a quarter of all numbers since that copy was made.
        guard newest < half, newest > hello.queuedIssued, newest - hello.queuedIssued > half / 2 else { return 0 }
        return half - newest
    }
}

/// The last message that a watch knows to be acknowledged. The watch has deleted this message and all earlier messages.
package struct WatchFloor: Equatable, Sendable {
    /// What the phone knows about the run in which the watch issued its last acknowledged message.
    package enum Origin: Equatable, Sendable {
        /// The watch's hello does not name the run that issued its last acknowledged message.
        case unknown
        /// In the run of the last acknowledged message, the phone has applied all messages up to this number; 0 if none.
        case applied(upTo: UInt32)
    }

    private let sequence: UInt32
    private let origin: Origin
    private let newest: UInt32

    /// - Parameters:
    ///   - sequence: the number of the last message that the watch knows to be acknowledged.
    ///   - newest: the highest message number that the phone has applied, over all runs.
    package init(_ sequence: UInt32, origin: Origin, newest: UInt32) {
        self.sequence = sequence
        self.origin = origin
        self.newest = newest
    }

    /// How many acknowledged messages the phone applied and then lost, because an older copy of its database was restored.
    ///
    /// A watch's numbers continue from run to run, so the messages above `newest`, up to `sequence`, are lost. The count is wrong
    /// if an older copy of the watch's flash was restored, because the watch then uses numbers twice. If the phone knows that it
    /// lacks message `sequence`, the result is at least 1.
    package var lost: UInt32 {
        let counted = sequence - min(sequence, newest)
        return switch origin {
        case .unknown: counted
        case .applied(let last): last >= sequence ? 0 : max(counted, 1)
        }
    }
}
