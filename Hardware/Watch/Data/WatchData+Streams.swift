import WatchLink

extension WatchData {
    /// The positions of both sides' streams.
    var streamPositions: StreamPositions {
        var stream = StreamPositions()
        stream.queuedIssued = outbox.newestSequence
        stream.queuedAcknowledged = outbox.acknowledgedSequence
        stream.latestIssued = messages.newestRevision
        stream.peerEpoch = positions.peerEpoch
        stream.queuedApplied = positions.queuedApplied
        stream.latestApplied = positions.latestApplied
        return stream
    }

    /// Records the positions of the phone's streams after a handshake, and the newest queued sequence that the phone has
    /// issued. Returns whether they changed.
    mutating func resume(_ stream: StreamPositions, queuedIssued: UInt32) -> Bool {
        let before = positions
        positions.peerEpoch = stream.peerEpoch
        positions.queuedApplied = stream.queuedApplied
        positions.latestApplied = stream.latestApplied
        positions.queuedExpected = queuedIssued
        return positions != before
    }

    /// Has both sides' streams go on after these numbers. Nothing may wait.
    mutating func renumber(issued: UInt32, applied: UInt32) {
        outbox.reset(after: OutboxEnd(sequence: issued, origin: nil))
        positions.queuedApplied = applied
        positions.queuedExpected = applied
    }
}
