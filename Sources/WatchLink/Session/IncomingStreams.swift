enum AcknowledgementDebt: BitwiseCopyable {
    case settled
    case owed
}

/// What the number of an arriving message means.
enum Arrival: BitwiseCopyable {
    case new
    case duplicate
    /// A queued message before it is missing.
    case gap
}

/// The positions of the peer's two streams on this connection.
struct IncomingStreams: BitwiseCopyable {
    /// The last queued sequence that has arrived, applied or not.
    var queuedReceived: UInt32
    /// The last latest revision that has arrived, applied or not.
    var latestReceived: UInt32
    var debt = AcknowledgementDebt.settled
    /// Microseconds from the arrival of the newest applied message until it was durable.
    private var heldFor: UInt32 = 0
    /// Rejections of queued messages that are not reported to the peer yet.
    private var rejected = RejectionList()
    /// The rejection of a latest value that is not reported to the peer yet.
    private var rejectedLatest: Rejection?

    /// Streams that continue after what this side has applied.
    init(resuming positions: StreamPositions) {
        queuedReceived = positions.queuedApplied
        latestReceived = positions.latestApplied
    }

    mutating func receive(_ header: MessageHeader) -> Arrival {
        switch header.delivery {
        case .queued:
            if header.sequence <= queuedReceived { return duplicate() }
            guard header.sequence == queuedReceived &+ 1 else { return .gap }
            queuedReceived = header.sequence
        case .latest:
            if header.sequence <= latestReceived { return duplicate() }
            latestReceived = header.sequence
        }
        return .new
    }

    private mutating func duplicate() -> Arrival {
        debt = .owed
        return .duplicate
    }

    func acknowledgement(_ positions: StreamPositions, rowsCheck: UInt32?) -> Acknowledgement {
        var acknowledgement = Acknowledgement(
            queued: positions.queuedApplied, latest: positions.latestApplied, heldFor: heldFor, rejected: rejected,
            rejectedLatest: rejectedLatest)
        acknowledgement.rowsCheck = rowsCheck
        return acknowledgement
    }

    /// Records that an acknowledgement was sent. What was applied after it was made is still owed.
    mutating func sent(_ acknowledgement: Acknowledgement, _ positions: StreamPositions) {
        rejected.removeAll(upTo: acknowledgement.queued)
        if rejectedLatest == acknowledgement.rejectedLatest { rejectedLatest = nil }
        let isComplete =
            acknowledgement.queued == positions.queuedApplied && acknowledgement.latest == positions.latestApplied
            && rejected.isEmpty && rejectedLatest == nil
        debt = isComplete ? .settled : .owed
    }

    /// Records that a message is applied or rejected.
    ///
    /// There is room for the rejections of one window. If a peer exceeds its window, the reasons of further rejections
    /// are lost.
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
