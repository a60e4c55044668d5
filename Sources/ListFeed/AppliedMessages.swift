import WatchLink

/// Which messages of one watch run the phone has applied.
package struct AppliedMessages: Equatable, Sendable {
    /// The epoch of the run, never 0.
    package var epoch: UInt32
    /// The highest queued sequence of this run that was applied.
    package var queued: UInt32
    /// The highest latest revision of this run that was applied.
    package var latest: UInt32

    package init(epoch: UInt32, queued: UInt32 = 0, latest: UInt32 = 0) {
        self.epoch = epoch
        self.queued = queued
        self.latest = latest
    }

    /// The most former runs of one watch that a phone remembers.
    package static let mostFormerRuns = 1_024

    /// Whether the phone has yet to apply this queued message of the run. The phone ignores a duplicate, but acknowledges it.
    package func isNew(queued sequence: UInt32) -> Bool { sequence > queued }
}

/// What a watch's hello says about its own messages, compared with what the phone has applied of them.
package struct WatchReturn: Equatable, Sendable {
    /// Which run the watch is in, as far as the phone knows.
    package enum Run: Equatable, Sendable {
        /// The run of the last link, or the first run of this watch.
        case present
        /// A run that the phone has not seen.
        case new
        /// An earlier run, although the phone has seen a later one: two watches have this identity.
        case former
    }

    package let run: Run
    /// What the phone has applied of that run.
    package let applied: AppliedMessages
    /// The number of messages that the phone had applied and has lost. The watch deleted them after their acknowledgement.
    package let lost: UInt32

    /// - Parameters:
    ///   - present: the run of the last link; nil if the watch has had none.
    ///   - former: what the phone applied of an earlier run; nil if the phone does not remember that run.
    ///   - floor: which messages the hello reports as acknowledged.
    package init(_ hello: PeerHello, present: AppliedMessages?, former: AppliedMessages?, floor: WatchFloor) {
        if let present, present.epoch == hello.epoch {
            (run, applied) = (.present, present)
        } else if let former {
            (run, applied) = (.former, former)
        } else {
            (run, applied) = (present == nil ? .present : .new, AppliedMessages(epoch: hello.epoch))
        }
        lost = floor.lost
    }

    /// How many of the watch's earlier messages an older copy of the phone's database lacks, as far as is known. The watch
    /// numbers its messages from 1 again once half of the numbers are acknowledged. 0 if that has not happened since.
    ///
    /// - Parameters:
    ///   - present: the run of the last link that the database knows. If it had reached half of the numbers, the count of later
    ///     messages is unknown; 1 is assumed.
    ///   - newest: the highest earlier sequence that the phone applied.
    package static func missed(_ hello: PeerHello, present: AppliedMessages, newest: UInt32) -> UInt32 {
        let half = FeedResumption.lastNumber
        if present.queued >= half, hello.queuedIssued < half { return 1 }
        // No copy of a watch's flash is older than a quarter of all numbers.
        guard newest < half, newest > hello.queuedIssued, newest - hello.queuedIssued > half / 2 else { return 0 }
        return half - newest
    }
}
