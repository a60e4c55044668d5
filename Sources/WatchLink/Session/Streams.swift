/// Which delivery is offered the next frame, so that neither keeps the other from being sent.
enum Turn: BitwiseCopyable {
    case queued
    case latest
}

/// A message that may be sent now. Smaller than an action, which matters to the stack of the device.
enum NextMessage: BitwiseCopyable {
    /// None: there is nothing new, or the peer has to acknowledge first.
    case none
    /// The queued message of this sequence.
    case queued(UInt32)
    /// The latest value of the lowest revision after this one.
    case latest(after: UInt32)
}

/// How far what we send has got on this connection.
struct OutgoingStreams: BitwiseCopyable {
    /// The last queued sequence that the transport has taken.
    var queuedSent: UInt32 = 0
    /// The last latest revision that the transport has taken.
    var latestSent: UInt32 = 0
    /// Who is next.
    var turn = Turn.queued

    /// Streams that go on behind what the peer has applied.
    init(resuming positions: StreamPositions) {
        queuedSent = positions.queuedAcknowledged
        latestSent = positions.latestAcknowledged
    }

    /// The message to send next.
    func next(_ positions: StreamPositions, window: UInt32) -> NextMessage {
        let underWay = queuedSent &- positions.queuedAcknowledged
        let isQueuedNext = queuedSent < positions.queuedIssued && underWay < window
        // One value at a time: those that are replaced in the meantime need never be sent.
        let isLatestNext = latestSent < positions.latestIssued && latestSent <= positions.latestAcknowledged
        switch turn {
        case .queued where isQueuedNext, .latest where isQueuedNext && !isLatestNext: return .queued(queuedSent &+ 1)
        case .queued, .latest: return isLatestNext ? .latest(after: latestSent) : .none
        }
    }
}

/// Whether an acknowledgement has to be sent.
enum AcknowledgementDebt: BitwiseCopyable {
    case none
    case owed
}

/// How far what the peer sends has got on this connection.
struct IncomingStreams: BitwiseCopyable {
    /// The last queued sequence that has arrived, applied or not.
    var queuedReceived: UInt32 = 0
    /// The last latest revision that has arrived, applied or not.
    var latestReceived: UInt32 = 0
    /// The last queued sequence that the peer may know to be applied.
    var queuedReported: UInt32 = 0
    /// Whether there is something to acknowledge.
    var debt = AcknowledgementDebt.none
    /// From arrival to commit of the newest message, in microseconds.
    var heldFor: UInt32 = 0
    /// Rejections that the peer has not been told.
    var rejected = RejectionList()
    /// The rejection of a latest value that the peer has not been told.
    var rejectedLatest: Rejection?

    /// Streams that go on behind what has been applied.
    init(resuming positions: StreamPositions) {
        queuedReceived = positions.queuedApplied
        latestReceived = positions.latestApplied
        queuedReported = positions.queuedApplied
    }

    /// What there is to acknowledge.
    func acknowledgement(_ positions: StreamPositions) -> Acknowledgement {
        Acknowledgement(
            queued: positions.queuedApplied, latest: positions.latestApplied, heldFor: heldFor, rejected: rejected,
            rejectedLatest: rejectedLatest)
    }

    /// Notes that the transport has an acknowledgement; what came up since it was made is still owed.
    mutating func sent(_ acknowledgement: Acknowledgement, _ positions: StreamPositions) {
        queuedReported = max(queuedReported, acknowledgement.queued)
        rejected.removeAll(upTo: acknowledgement.queued)
        if rejectedLatest == acknowledgement.rejectedLatest { rejectedLatest = nil }
        let isComplete =
            acknowledgement.queued == positions.queuedApplied && acknowledgement.latest == positions.latestApplied
            && rejected.isEmpty && rejectedLatest == nil
        debt = isComplete ? .none : .owed
    }

    /// Notes that a message is done.
    mutating func finished(
        _ delivery: LinkDelivery, sequence: UInt32, heldFor: Microseconds, outcome: ApplyOutcome
    ) {
        debt = .owed
        self.heldFor = heldFor.count.highWord == 0 ? heldFor.count.lowWord : .max
        switch delivery {
        case .queued: queuedReceived = max(queuedReceived, sequence)
        case .latest: latestReceived = max(latestReceived, sequence)
        }
        switch outcome {
        case .applied: break
        case .rejected(let reason):
            let rejection = Rejection(sequence: sequence, reason: reason)
            switch delivery {
            case .queued: rejected.append(rejection)
            case .latest: rejectedLatest = rejection
            }
        }
    }
}
