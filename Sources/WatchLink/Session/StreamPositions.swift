/// The positions of the streams between two devices, which have to survive a restart. The shell stores them and passes
/// them to the session when the transport is up again. Sequences and revisions count from 1, so that a position of 0 is
/// before the first.
///
/// `queuedIssued` and `latestIssued` are stored with the message that they number, `queuedApplied`, `latestApplied` and
/// `peerEpoch` in one step with the effect of the message; otherwise a message could be lost or applied twice.
public struct StreamPositions: Equatable, Sendable, BitwiseCopyable {
    /// The highest sequence of our queued messages.
    public var queuedIssued: UInt32 = 0
    /// Our queued messages up to this sequence are done and may be deleted.
    public var queuedAcknowledged: UInt32 = 0
    /// The highest revision of our latest values.
    public var latestIssued: UInt32 = 0
    /// Our latest values up to this revision are done. They are kept, because the peer may lose them.
    public var latestAcknowledged: UInt32 = 0
    /// The last queued sequence of the peer that we applied, in its epoch.
    public var queuedApplied: UInt32 = 0
    /// The last latest revision of the peer that we applied, in its epoch.
    public var latestApplied: UInt32 = 0
    /// The epoch of the peer's streams, nil before its first hello.
    public var peerEpoch: UInt32?

    /// The positions of two devices that have never had a link.
    public init() {}

    /// Whether what the peer remembers of our streams of `epoch` is within these positions.
    ///
    /// Where not, we have lost a part of what we sent, and the peer would drop our next messages as duplicates. We then
    /// need a new epoch, in which every message still to be sent gets a new number.
    public func agree(with hello: PeerHello, epoch: UInt32) -> Bool {
        guard hello.knows(epoch: epoch) else { return true }
        return hello.queuedApplied <= queuedIssued && hello.latestApplied <= latestIssued
    }

    /// Records what the peer has applied. Returns false, and changes nothing, where that was never issued.
    ///
    /// The limit is what was issued and not what was sent on this connection: the peer may have applied a message of
    /// the connection before while this one was being made.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) -> Bool {
        guard acknowledgement.queued <= queuedIssued, acknowledgement.latest <= latestIssued else { return false }
        queuedAcknowledged = max(queuedAcknowledged, acknowledgement.queued)
        latestAcknowledged = max(latestAcknowledged, acknowledgement.latest)
        return true
    }

    /// Records what the peer's hello says about the streams of either side.
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
        // Nobody can send messages below the floor again; waiting for them would block the stream for ever.
        queuedApplied = max(queuedApplied, hello.queuedFloor)
    }
}
