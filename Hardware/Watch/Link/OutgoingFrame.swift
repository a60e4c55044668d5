import WatchLink

/// A frame from the watch to the phone.
enum OutgoingFrame: BitwiseCopyable {
    /// The session's own.
    case control(ControlFrame)
    /// A queued message.
    case message(QueuedMessage, sequence: UInt32)
    /// What stands for a queued message that there is no more.
    case withdrawn(sequence: UInt32)

    /// Writes the frame: no more than the smallest datagram holds.
    func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .control(let frame): try frame.encode(into: &writer)
        case .message(let queued, let sequence):
            try queued.message.encodeFrame(sequence: sequence, tap: queued.tap, into: &writer)
        case .withdrawn(let sequence):
            try MessageHeader(.queued, sequence: sequence, flags: .noValue).encode(into: &writer)
        }
    }
}
