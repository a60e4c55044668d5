import WatchLink

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
    package let applied: StreamRun
    /// The number of messages that the phone had applied and has lost. The watch deleted them after their acknowledgement.
    package let lost: UInt32

    /// - Parameters:
    ///   - present: the run of the last link; nil if the watch has had none.
    ///   - former: what the phone applied of an earlier run; nil if the phone does not remember that run.
    ///   - floor: which messages the hello reports as acknowledged.
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

    /// How many of the watch's earlier messages an older copy of the phone's database lacks, as far as is known. The watch
    /// numbers its messages from 1 again once half of the numbers are acknowledged. 0 if that has not happened since.
    ///
    /// - Parameters:
    ///   - present: the run of the last link that the database knows. If it had reached half of the numbers, the count of later
    ///     messages is unknown; 1 is assumed.
    ///   - newest: the highest earlier sequence that the phone applied.
    package static func missed(_ hello: PeerHello, present: StreamRun, newest: UInt32) -> UInt32 {
        let half = FeedResumption.lastNumber
        if present.queued >= half, hello.queuedIssued < half { return 1 }
        // No copy of a watch's flash is older than a quarter of all numbers.
        guard newest < half, newest > hello.queuedIssued, newest - hello.queuedIssued > half / 2 else { return 0 }
        return half - newest
    }
}

/// Compares the messages that a watch reports as acknowledged, and has deleted, with those that the phone has applied.
package struct WatchFloor: Equatable, Sendable {
    /// The run that issued the last acknowledged message.
    package enum Origin: Equatable, Sendable {
        /// The watch does not name the run, or the phone has since forgotten the watch.
        case unknown
        /// The highest sequence of that run that the phone has applied.
        case applied(upTo: UInt32)
    }

    private let sequence: UInt32
    private let origin: Origin
    private let newest: UInt32

    /// - Parameters:
    ///   - sequence: the last acknowledged message.
    ///   - newest: the highest sequence of any run that the phone has applied.
    package init(_ sequence: UInt32, origin: Origin, newest: UInt32) {
        self.sequence = sequence
        self.origin = origin
        self.newest = newest
    }

    /// How many of these messages the phone applied and then lost, because an older copy of its database was put back.
    ///
    /// A watch's sequences continue over its runs, so the gap above `newest` counts the lost messages. The gap is wrong
    /// if an older copy of the watch's flash was put back, because the watch then uses sequences again. If the last
    /// message is missing, the result is at least 1.
    package var lost: UInt32 {
        let counted = sequence - min(sequence, newest)
        return switch origin {
        case .unknown: counted
        case .applied(let last): last >= sequence ? 0 : max(counted, 1)
        }
    }
}
