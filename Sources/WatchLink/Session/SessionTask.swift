/// A `SessionAction` with a request for a frame in place of the frame: 24 bytes instead of 130.
package enum SessionTask: Equatable, Sendable, BitwiseCopyable {
    /// Send the frame of `Session.frame(for:)`; once the transport has it, call `sent(control:at:)`.
    case transmit(ControlRequest)
    case sendQueued(sequence: UInt32)
    case sendLatest(after: UInt32)
    case close(CloseReason)
    case wait(until: Instant?)
}

/// A control frame that is due.
package enum ControlRequest: Equatable, Sendable, BitwiseCopyable {
    case hello
    case goodbye(Goodbye)
    case ping(UInt32)
    case pong(UInt32)
    case acknowledgement
}
