/// The delivery whose turn it is. They alternate, so that neither blocks the other.
enum Turn: BitwiseCopyable {
    case queued
    case latest
}

/// The message to send next. Smaller than an action, to save stack on the device.
enum NextMessage: BitwiseCopyable {
    /// None: there is nothing new, or the peer has to acknowledge first.
    case none
    /// The queued message of this sequence.
    case queued(UInt32)
    /// The latest value with the lowest revision above this one.
    case latest(after: UInt32)
}

/// The positions of this side's two streams on this connection.
struct OutgoingStreams: BitwiseCopyable {
    /// The last queued sequence that was sent.
    var queuedSent: UInt32
    /// The last latest revision that was sent.
    var latestSent: UInt32
    var turn = Turn.queued

    /// Streams that continue after what the peer has applied.
    init(resuming positions: StreamPositions) {
        queuedSent = positions.queuedAcknowledged
        latestSent = positions.latestAcknowledged
    }

    /// The message to send next, where the peer allows `window` queued messages without an acknowledgement.
    func next(_ positions: StreamPositions, window: UInt32) -> NextMessage {
        let unacknowledged = queuedSent &- positions.queuedAcknowledged
        let isQueuedNext = queuedSent < positions.queuedIssued && unacknowledged < window
        // One value at a time, because values that are replaced meanwhile need not be sent.
        let isLatestNext = latestSent < positions.latestIssued && latestSent <= positions.latestAcknowledged
        switch turn {
        case .queued where isQueuedNext, .latest where isQueuedNext && !isLatestNext: return .queued(queuedSent &+ 1)
        case .queued, .latest: return isLatestNext ? .latest(after: latestSent) : .none
        }
    }

    /// Records that a message was sent. A message that was not due is ignored.
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

    /// Records what the peer has applied: perhaps messages of an earlier connection that were not sent on this one.
    mutating func acknowledged(_ positions: StreamPositions) {
        queuedSent = max(queuedSent, positions.queuedAcknowledged)
        latestSent = max(latestSent, positions.latestAcknowledged)
    }
}
