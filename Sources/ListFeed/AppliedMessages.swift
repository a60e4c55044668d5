import WatchLink

/// What a phone has applied of the messages that a watch issued in one run.
package struct AppliedMessages: Equatable, Sendable {
    /// The epoch of the run, never 0.
    package var epoch: UInt32
    /// The last queued sequence with this origin.
    package var queued: UInt32
    /// The last latest revision.
    package var latest: UInt32

    package init(epoch: UInt32, queued: UInt32 = 0, latest: UInt32 = 0) {
        self.epoch = epoch
        self.queued = queued
        self.latest = latest
    }

    /// The most former runs of one watch that a phone remembers.
    package static let mostFormerRuns = 1_024

    /// Whether a queued message has not been applied, where these are the messages of its origin. One that has is a
    /// duplicate, whatever its sender has lost: it has no effect and is acknowledged.
    package func isNew(queued sequence: UInt32) -> Bool { sequence > queued }
}

/// What a watch's hello says about its own messages, compared with what the phone has applied of them.
package struct WatchReturn: Equatable, Sendable {
    /// The run that the watch is in, as the phone knows it.
    package enum Run: Equatable, Sendable {
        /// The one of the last link, or the first of this watch.
        case present
        /// A new one.
        case new
        /// An earlier one, although another has been seen since: two watches have this identity.
        case former
    }

    package let run: Run
    /// What was applied of the run that the watch is in.
    package let applied: AppliedMessages
    /// How many messages the phone had applied and has lost: the watch has deleted them, because they were acknowledged.
    package let lost: UInt32

    /// - Parameters:
    ///   - present: the run of the last link; nil for a watch that has had none.
    ///   - former: what was applied of an earlier run; nil where the phone does not remember it.
    ///   - floor: what the hello says is acknowledged, as the phone knows it.
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

    /// How many messages an older copy of the phone's database is known to lack of those that a watch numbered before its
    /// numbers began again, which they do once half of them are acknowledged; 0 where they have not begun again since.
    ///
    /// - Parameters:
    ///   - present: the run of the last link that the database knows of. Where it had reached the half, nobody knows how many
    ///     messages came after it: one is assumed.
    ///   - newest: the highest sequence that was applied of the numbers before.
    package static func missed(_ hello: PeerHello, present: AppliedMessages, newest: UInt32) -> UInt32 {
        let half = FeedResumption.lastNumber
        if present.queued >= half, hello.queuedIssued < half { return 1 }
        // So far back no copy of a flash goes.
        guard newest < half, newest > hello.queuedIssued, newest - hello.queuedIssued > half / 2 else { return 0 }
        return half - newest
    }
}
