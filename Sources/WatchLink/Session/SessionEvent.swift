/// What an arrived frame, or a decision, means to the shell.
public enum SessionEvent: Equatable, Sendable, BitwiseCopyable {
    /// Nothing to do but to ask for the next action.
    case none
    /// A watch introduced itself to a phone. The shell looks it up and calls `accept`, or `close(.refused)`.
    case helloArrived(PeerHello)
    /// Messages flow from now on. `positions` now has what the peer's hello acknowledged and where its streams begin.
    case opened(PeerHello)
    /// A message that has to be applied. Its body begins at `header.bodyOffset` of the frame. The shell makes it durable in
    /// one step with its number and calls `applied`, also where it is rejected.
    case message(MessageHeader)
    /// A message that has arrived before; it is acknowledged again and is not to be applied.
    case duplicate
    /// The peer has applied messages of ours; those of the queue may be forgotten.
    case acknowledged(Acknowledgement)
    /// The link is over. The next actions say goodbye and close the transport.
    case closed(CloseReason)
}

/// What became of a message that had to be applied.
public enum ApplyOutcome: Equatable, Sendable, BitwiseCopyable {
    /// It took effect, durably.
    case applied
    /// It never can.
    case rejected(RejectionReason)
}

/// What the shell has to do next.
///
/// An action is given again until the shell reports that it is done, so a transport without room loses nothing: the shell
/// waits for room and asks again. Only `.close` is given once.
public enum SessionAction: Equatable, Sendable, BitwiseCopyable {
    /// Encode this frame and send it; once the transport has it, call `sent(control:at:)`.
    case transmit(ControlFrame)
    /// Send the queued message of this sequence; once the transport has it, call `sent(.queued, sequence:at:)`.
    case sendQueued(sequence: UInt32)
    /// Send the latest value of the lowest revision after this one; once the transport has it, call
    /// `sent(.latest, sequence: its revision, at:)`. A cleared name counts as a value without a payload and is kept like the
    /// others, for a peer that lost its memory. Where there is none all the same, call `skipped(latestUpTo:)`.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Nothing until something happens, or until this time.
    case wait(until: Instant?)
}
