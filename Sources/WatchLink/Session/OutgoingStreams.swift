/// Which delivery is offered the next frame, so that neither keeps the other from being sent.
enum Turn: BitwiseCopyable {
    /// A queued message goes first.
    case queued
    /// A latest value goes first.
    case latest
}

/// A message that may be sent now. Smaller than an action, which matters to the stack of the device.
enum NextMessage: BitwiseCopyable {
    /// None: there is nothing new, or the peer has to acknowledge first.
    case none
    /// The queued message of this sequence.
    case queued(UInt32)
    /// The latest value with the lowest revision above this one.
    case latest(after: UInt32)
}

/// How far this side has sent its two streams on this connection.
struct OutgoingStreams: BitwiseCopyable {
    /// The last queued sequence that the transport has taken.
    var queuedSent: UInt32
    /// The last latest revision that the transport has taken.
    var latestSent: UInt32
    /// Which delivery goes first.
    var turn = Turn.queued

    /// Streams that continue behind what the peer has applied.
    init(resuming positions: StreamPositions) {
        queuedSent = positions.queuedAcknowledged
        latestSent = positions.latestAcknowledged
    }

    /// The message to send next, where the peer allows `window` queued messages without an acknowledgement.
    func next(_ positions: StreamPositions, window: UInt32) -> NextMessage {
        let unacknowledged = queuedSent &- positions.queuedAcknowledged
        let isQueuedNext = queuedSent < positions.queuedIssued && unacknowledged < window
        // One value at a time: those that are replaced in the meantime need never be sent.
        let isLatestNext = latestSent < positions.latestIssued && latestSent <= positions.latestAcknowledged
        switch turn {
        case .queued where isQueuedNext, .latest where isQueuedNext && !isLatestNext: return .queued(queuedSent &+ 1)
        case .queued, .latest: return isLatestNext ? .latest(after: latestSent) : .none
        }
    }

    /// Notes that the transport has taken a message; one that was not asked for is not counted.
    mutating func sent(_ delivery: LinkDelivery, sequence: UInt32, _ positions: StreamPositions) {
        switch delivery {
        case .queued:
            guard sequence == queuedSent &+ 1, sequence <= positions.queuedIssued else { return }
            queuedSent = sequence
            turn = .latest
        case .latest:
            guard sequence > latestSent, sequence <= positions.latestIssued else { return }
            latestSent = sequence
            turn = .queued
        }
    }

    /// Notes that the peer has applied messages, perhaps ones of an earlier connection that this one has not sent yet.
    mutating func acknowledged(_ positions: StreamPositions) {
        queuedSent = max(queuedSent, positions.queuedAcknowledged)
        latestSent = max(latestSent, positions.latestAcknowledged)
    }
}
