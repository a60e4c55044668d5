/// What a frame that arrived, or a decision of the shell, means to the shell.
public enum SessionEvent: Equatable, Sendable, BitwiseCopyable {
    /// Nothing to do but to ask for the next action.
    case none
    /// A watch said hello to a phone. The shell looks it up and calls `accept`, or `close(.refused)`.
    case helloArrived(PeerHello)
    /// Messages flow from now on. `positions` now has what the peer's hello acknowledged and where its streams begin.
    case opened(PeerHello)
    /// A message to apply. Its body begins at `header.bodyOffset` of the frame. The shell stores its effect and its
    /// number in one step and calls `applied`; a message that it rejects too.
    case message(MessageHeader)
    /// A message that has arrived before. The shell does not apply it; the session acknowledges it again.
    case duplicate
    /// The peer has applied messages of ours; those of the queue may be forgotten.
    case acknowledged(Acknowledgement)
    /// The link is over. The next actions say goodbye and close the transport.
    case closed(CloseReason)
}

/// What became of a message that arrived.
public enum ApplyOutcome: Equatable, Sendable, BitwiseCopyable {
    /// It took effect and survives a loss of power.
    case applied
    /// It can never be applied, for this reason.
    case rejected(RejectionReason)
}

/// What the shell has to do next.
///
/// An action is returned again until the shell reports that it is done, so a transport without room loses nothing: the
/// shell waits for room and asks again. Only `.close` is returned once.
public enum SessionAction: Equatable, Sendable, BitwiseCopyable {
    /// Encode this frame and send it; once the transport has it, call `sent(control:at:)`.
    case transmit(ControlFrame)
    /// Send the queued message of this sequence; once the transport has it, call `sent(.queued, sequence:at:)`.
    case sendQueued(sequence: UInt32)
    /// Send the latest value of the lowest revision after this one; once the transport has it, call `sent(.latest,
    /// sequence: its revision, at:)`. A cleared name counts as a value without a payload and is kept like the others,
    /// for a peer that lost its memory. If there is no such value, call `skipped(latestUpTo:)`.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Nothing until something happens, or until this time.
    case wait(until: Instant?)
}
