/// What an arriving frame, or a call of `accept`, means to the shell.
public enum SessionEvent: Equatable, Sendable, BitwiseCopyable {
    /// Nothing, but there may be a next action.
    case none
    /// A watch said hello to a phone. The shell looks it up and calls `accept`, or `close(.refused)`.
    case helloArrived(PeerHello)
    /// Messages flow from now on. `positions` includes what the peer's hello acknowledged and where its streams begin.
    case opened(PeerHello)
    /// A message to apply. Its body begins at `MessageHeader.encodedSize` of the frame. The shell stores the effect and the
    /// number in one step and calls `applied`, also for a message that it rejects.
    case message(MessageHeader)
    /// A message that has arrived before. The shell does not apply it; the session acknowledges it again.
    case duplicate
    /// The peer asks something. The body begins at `InteractiveHeader.size` of the frame. The shell sends a reply, whatever comes of
    /// it.
    case interactive(InteractiveHeader)
    /// The peer has replied to something that we asked. The value begins at `ReplyHeader.size` of the frame.
    case reply(ReplyHeader)
    /// A step of a file transfer. The shell reads it as a `FileHeader`, has it judged by its `FileNumbers`, and closes the link with
    /// the fault of a broken one.
    case file
    /// The peer has applied messages of ours; the queued ones may be deleted.
    case acknowledged(Acknowledgement)
    /// The link is over. The next actions send a goodbye and close the transport.
    case closed(CloseReason)
}

/// The outcome of applying a message.
public enum ApplyOutcome: Equatable, Sendable, BitwiseCopyable {
    /// It took effect and survives a loss of power.
    case applied
    /// It can never be applied.
    case rejected(RejectionReason)
}

/// What the shell has to do next.
///
/// An action is returned again until the shell reports that it is done, so nothing is lost when the transport has no
/// room: the shell waits for room and asks again. Only `.close` is returned once.
public enum SessionAction: Equatable, Sendable, BitwiseCopyable {
    /// Make this frame with `Session.frame(for:)` just before sending it; once the transport has it, call
    /// `sent(control:at:)`.
    case transmit(ControlRequest)
    /// Send the queued message of this sequence; once the transport has it, call `sent(.queued, sequence:at:)`.
    case sendQueued(sequence: UInt32)
    /// Send the latest value of the lowest revision after this one; once the transport has it, call `sent(.latest,
    /// sequence: its revision, at:)`. A cleared name is a value without a payload, kept like others for a peer that
    /// lost its memory. If there is no such value, call `skipped(latestUpTo:)`.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Nothing until something happens, or at the latest until this time.
    case wait(until: Instant?)
}

/// A control frame that is due. An action has this in place of the frame, for which a device's stack has no room: 24 bytes
/// instead of 130.
public enum ControlRequest: Equatable, Sendable, BitwiseCopyable {
    case hello
    case goodbye(Goodbye)
    case ping(UInt32)
    case pong(UInt32)
    /// What this side has applied until then.
    case acknowledgement
}
