/// The message to send next. It is smaller than a `SessionAction`, to save stack on the device.
enum NextMessage: BitwiseCopyable {
    /// There is nothing new, or the peer has to acknowledge first.
    case none
    case queued(UInt32)
    /// See `SessionAction.sendLatest(after:)`.
    case latest(after: UInt32)
}

struct OutgoingStreams: BitwiseCopyable {
    var queuedSent: UInt32
    var latestSent: UInt32
    /// The delivery that goes next if a queued message and a latest value both wait. The two alternate, so that neither blocks
    /// the other.
    var turn = LinkDelivery.queued

    init(resuming positions: StreamPositions) {
        queuedSent = positions.queuedAcknowledged
        latestSent = positions.latestAcknowledged
    }

    /// - Parameter window: the maximum number of queued messages that are sent and not acknowledged. The peer sets it.
    func next(_ positions: StreamPositions, window: UInt32) -> NextMessage {
        let unacknowledged = queuedSent &- positions.queuedAcknowledged
        let isQueuedNext = queuedSent < positions.queuedIssued && unacknowledged < window
        // At most one latest value is unacknowledged. So a value that is replaced while it waits is never sent.
        let isLatestNext = latestSent < positions.latestIssued && latestSent <= positions.latestAcknowledged
        switch turn {
        case .queued where isQueuedNext, .latest where isQueuedNext && !isLatestNext: return .queued(queuedSent &+ 1)
        case .queued, .latest: return isLatestNext ? .latest(after: latestSent) : .none
        }
    }

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

    /// Counts acknowledged messages as sent, even if only an earlier connection has sent them.
    mutating func acknowledged(_ positions: StreamPositions) {
        queuedSent = max(queuedSent, positions.queuedAcknowledged)
        latestSent = max(latestSent, positions.latestAcknowledged)
    }
}

enum Arrival: BitwiseCopyable {
    case new
    case duplicate
    /// A queued message before this one is missing.
    case gap
}

struct IncomingStreams: BitwiseCopyable {
    /// The sequence of the last queued message that has arrived, applied or not.
    var queuedReceived: UInt32
    var latestReceived: UInt32
    var owesAcknowledgement = false
    /// Microseconds from the arrival of the newest applied message until it was durable.
    private var heldFor: UInt32 = 0
    /// The rejections of queued messages that are not reported to the peer yet.
    private var rejected = RejectionList()
    private var rejectedLatest: Rejection?

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
        owesAcknowledgement = true
        return .duplicate
    }

    func acknowledgement(_ positions: StreamPositions, rowsCheck: UInt32?) -> Acknowledgement {
        var acknowledgement = Acknowledgement(
            queued: positions.queuedApplied, latest: positions.latestApplied, heldFor: heldFor, rejected: rejected,
            rejectedLatest: rejectedLatest)
        acknowledgement.rowsCheck = rowsCheck
        return acknowledgement
    }

    /// Records that this acknowledgement was sent. If a message was applied or rejected since the acknowledgement was made, the
    /// session owes a further acknowledgement.
    mutating func sent(_ acknowledgement: Acknowledgement, _ positions: StreamPositions) {
        rejected.removeAll(upTo: acknowledgement.queued)
        if rejectedLatest == acknowledgement.rejectedLatest { rejectedLatest = nil }
        let isComplete =
            acknowledgement.queued == positions.queuedApplied && acknowledgement.latest == positions.latestApplied
            && rejected.isEmpty && rejectedLatest == nil
        owesAcknowledgement = !isComplete
    }

    /// Records the outcome of a message. The list `rejected` has room for 8 rejections. A peer that keeps to its window causes
    /// at most 8 unreported rejections.
    mutating func finished(
        _ delivery: LinkDelivery, sequence: UInt32, heldFor: Microseconds, outcome: ApplyOutcome
    ) {
        owesAcknowledgement = true
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

/// How far two devices have applied each other's messages. The caller of a `Session` must store this across restarts. Sequences
/// and revisions count from 1, and 0 stands for no message.
///
/// The caller must store a new `queuedIssued` or `latestIssued` in one step with the message that has this number. It must
/// store `queuedApplied`, `latestApplied` and `peerEpoch` in one step with the effect of the applied message. Otherwise a
/// message could be lost or applied twice.
package struct StreamPositions: Equatable, Sendable, BitwiseCopyable {
    package var queuedIssued: UInt32 = 0
    /// The peer has applied or rejected our queued messages up to this sequence. The caller may delete them.
    package var queuedAcknowledged: UInt32 = 0
    package var latestIssued: UInt32 = 0
    /// The peer has applied or rejected our latest values up to this revision. The caller must keep them, because the peer may
    /// lose them.
    package var latestAcknowledged: UInt32 = 0
    /// We have applied or rejected the peer's queued messages up to this sequence in the epoch `peerEpoch`.
    package var queuedApplied: UInt32 = 0
    /// We have applied or rejected the peer's latest values up to this revision in the epoch `peerEpoch`.
    package var latestApplied: UInt32 = 0
    /// The epoch of the peer's messages, nil before its first hello.
    package var peerEpoch: UInt32?

    package init() {}

    /// Returns false if the hello says that the peer applied messages of our `epoch` with numbers that we have not issued.
    ///
    /// Then we have lost messages, and the peer would drop our next messages as duplicates. So we need a new epoch, in which
    /// every message that we still have to send gets a new number.
    package func agree(with hello: PeerHello, epoch: UInt32) -> Bool {
        guard hello.knows(epoch: epoch) else { return true }
        return hello.queuedApplied <= queuedIssued && hello.latestApplied <= latestIssued
    }

    /// Records an acknowledgement, even of messages that only an earlier connection has sent. Returns false, and changes
    /// nothing, if the peer names messages that we never issued.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) -> Bool {
        guard acknowledgement.queued <= queuedIssued, acknowledgement.latest <= latestIssued else { return false }
        queuedAcknowledged = max(queuedAcknowledged, acknowledgement.queued)
        latestAcknowledged = max(latestAcknowledged, acknowledgement.latest)
        return true
    }

    mutating func resume(_ hello: PeerHello, epoch: UInt32) {
        if hello.knows(epoch: epoch) {
            queuedAcknowledged = max(queuedAcknowledged, hello.queuedApplied)
            latestAcknowledged = hello.latestApplied
        } else {
            latestAcknowledged = 0
        }
        if peerEpoch != hello.epoch {
            peerEpoch = hello.epoch
            queuedApplied = 0
            latestApplied = 0
        }
        // The peer no longer has the messages up to the floor. Waiting for them would block the stream forever.
        queuedApplied = max(queuedApplied, hello.queuedFloor)
    }
}

/// The highest message numbers of one run. If the run is ours, we issued the messages with these numbers. If the run is the
/// peer's, we applied them. A run of a side lasts from when the side opens its store until its program ends.
package struct StreamRun: Equatable, Sendable, BitwiseCopyable {
    package let epoch: UInt32
    package var queued: UInt32
    package var latest: UInt32

    package init(epoch: UInt32, queued: UInt32 = 0, latest: UInt32 = 0) {
        self.epoch = epoch
        self.queued = queued
        self.latest = latest
    }
}
