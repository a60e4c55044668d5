/// How far the streams between two devices have come: what has to survive a restart. The shell stores it and passes it
/// to the session when the transport is up again.
///
/// `queuedIssued` and `latestIssued` are stored with the message that they number, `queuedApplied`, `latestApplied` and
/// `peerEpoch` in one step with the effect of the message; otherwise a message could be lost or applied twice.
public struct StreamPositions: Equatable, Sendable, BitwiseCopyable {
    /// The highest sequence given to a queued message of ours, 0 for none.
    public var queuedIssued: UInt32
    /// Our queued messages up to and with this one are done and may be forgotten.
    public var queuedAcknowledged: UInt32
    /// The highest revision given to a latest value of ours, 0 for none.
    public var latestIssued: UInt32
    /// Our latest values up to and with this revision are done. They are kept all the same, as the peer may forget.
    public var latestAcknowledged: UInt32
    /// The epoch of the peer's streams to which the two numbers below belong, 0 for none.
    public var peerEpoch: UInt32
    /// The last queued sequence of the peer's that we applied, 0 for none.
    public var queuedApplied: UInt32
    /// The last latest revision of the peer's that we applied, 0 for none.
    public var latestApplied: UInt32

    /// The positions of two devices that have never met.
    public init() {
        (queuedIssued, queuedAcknowledged, latestIssued, latestAcknowledged) = (0, 0, 0, 0)
        (peerEpoch, queuedApplied, latestApplied) = (0, 0, 0)
    }

    /// Whether these positions, of streams of `epoch`, can be what the peer remembers of them.
    ///
    /// Where not, we have lost what we sent: the peer would take our next messages for duplicates and drop them. The
    /// remedy is a new epoch, in which every message still to be sent gets a new number.
    public func agree(with hello: PeerHello, epoch: UInt32) -> Bool {
        guard hello.knows(epoch: epoch) else { return true }
        return hello.queuedApplied <= queuedIssued && hello.latestApplied <= latestIssued
    }

    /// Takes over what the peer has applied. Returns false, and changes nothing, where that was never issued.
    ///
    /// It is compared with what was issued and not with what was sent on this connection: the peer may have finished
    /// with a message of the connection before while this one was being made.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) -> Bool {
        guard acknowledgement.queued <= queuedIssued, acknowledgement.latest <= latestIssued else { return false }
        queuedAcknowledged = max(queuedAcknowledged, acknowledgement.queued)
        latestAcknowledged = max(latestAcknowledged, acknowledgement.latest)
        return true
    }

    /// Takes over what the peer's hello says about either side's streams.
    mutating func meet(_ hello: PeerHello, epoch: UInt32) {
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
        // What lies below the floor nobody can send again; waiting for it would block the stream for ever.
        queuedApplied = max(queuedApplied, hello.queuedFloor)
    }
}
