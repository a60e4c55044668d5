import WatchLink

/// Compares what a watch's hello says about the watch's messages with what the phone has applied.
///
/// A run is the time from one start of the watch to the next.
package struct WatchReturn: Equatable, Sendable {
    /// Which run the watch is in.
    package enum Run: Equatable, Sendable {
        /// The watch is in the run of its last link, or in the first run that the phone knows.
        case present
        /// The watch is in a run that the phone does not know. Usually it has started again since its last link.
        case new
        /// The watch is in an earlier run, although the phone has seen a later one. So two watches have this identity.
        case former
    }

    package let run: Run
    /// What the phone has applied of the watch's present run.
    package let applied: StreamRun
    /// How many messages the phone had applied and has lost. The watch deleted them when the phone acknowledged them.
    package let lost: UInt32

    /// - Parameters:
    ///   - present: the run of the last link; nil if there was none.
    ///   - former: what the phone applied of the earlier run that the hello names; nil if the phone does not remember that run.
    ///   - floor: the messages that the watch knows to be acknowledged.
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

    /// How many of the watch's messages the phone's database lacks, because an older copy of the database was restored. Counts
    /// them only if the watch has begun its numbers again at 1 since that copy was made. Otherwise the result is 0.
    ///
    /// A watch begins again at 1 when half of the numbers are acknowledged.
    package static func missed(_ hello: PeerHello, present: StreamRun, newest: UInt32) -> UInt32 {
        let half = FeedResumption.lastNumber
        if present.queued >= half, hello.queuedIssued < half { return 1 }
        // Assumes that no restored copy of a watch's flash is older than a quarter of all numbers.
        guard newest < half, newest > hello.queuedIssued, newest - hello.queuedIssued > half / 2 else { return 0 }
        return half - newest
    }
}

/// Compares the messages that a watch knows to be acknowledged, and has deleted, with those that the phone has applied.
package struct WatchFloor: Equatable, Sendable {
    /// What the phone has applied of the run that issued the last acknowledged message.
    package enum Origin: Equatable, Sendable {
        /// Unknown, because the watch's hello does not name the run that issued the last acknowledged message.
        case unknown
        /// In the run of the last acknowledged message, the phone has applied all messages up to this number; 0 if none.
        case applied(upTo: UInt32)
    }

    private let sequence: UInt32
    private let origin: Origin
    private let newest: UInt32

    /// - Parameters:
    ///   - sequence: the number of the last acknowledged message.
    ///   - newest: the highest message number that the phone has applied, over all runs.
    package init(_ sequence: UInt32, origin: Origin, newest: UInt32) {
        self.sequence = sequence
        self.origin = origin
        self.newest = newest
    }

    /// How many of the acknowledged messages the phone applied and then lost, because an older copy of its database was restored.
    ///
    /// A watch's numbers continue from run to run, so the numbers above `newest` count the lost messages. The count is wrong if
    /// an older copy of the watch's flash was restored, because the watch then uses numbers twice. If the last message is
    /// missing, the result is at least 1.
    package var lost: UInt32 {
        let counted = sequence - min(sequence, newest)
        return switch origin {
        case .unknown: counted
        case .applied(let last): last >= sequence ? 0 : max(counted, 1)
        }
    }
}
