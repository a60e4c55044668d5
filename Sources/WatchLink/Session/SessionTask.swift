/// A `SessionAction` with the name of a frame in place of the frame: 24 bytes instead of 130.
package enum SessionTask: Equatable, Sendable, BitwiseCopyable {
    /// Send the frame that `Session.frame(for:)` makes; once the transport has it, call `sent(control:at:)`.
    case transmit(ControlRequest)
    /// Send the queued message of this sequence.
    case sendQueued(sequence: UInt32)
    /// Send the latest value of the lowest revision after this one.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Nothing until something happens, or until this time.
    case wait(until: Instant?)
}

/// A control frame that is due.
package enum ControlRequest: Equatable, Sendable, BitwiseCopyable {
    /// Our hello.
    case hello
    /// This goodbye.
    case goodbye(Goodbye)
    /// A ping with this number.
    case ping(UInt32)
    /// The answer to the ping with this number.
    case pong(UInt32)
    /// What we have applied.
    case acknowledgement
}
