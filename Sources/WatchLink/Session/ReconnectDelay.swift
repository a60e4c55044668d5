/// The delay before the side that connects does so again, by the rule in PROTOCOL.md.
///
/// It finds out how the link ended from the frames of the transport, in both directions.
public struct ReconnectDelay: Sendable, BitwiseCopyable {
    private enum Outcome: BitwiseCopyable {
        /// The handshake was not completed; the next pause is this long.
        case neverOpened(pause: Microseconds)
        case opened
        /// A side said goodbye for a reason that reconnecting at once does not change.
        case unwanted
    }

    /// The pause after a link that was open: 50 ms.
    public static var shortest: Microseconds { .milliseconds(50) }
    /// The longest pause after transports that never became an open link: 2 s.
    public static var longest: Microseconds { .seconds(2) }
    /// The pause after a goodbye with reason 1 (no version in common) or 3 (not wanted): 60 s.
    public static var unwanted: Microseconds { .seconds(60) }

    private var outcome = Outcome.neverOpened(pause: ReconnectDelay.shortest)

    /// The delay before any attempt.
    public init() {}

    /// Call for every datagram of the transport, in either direction.
    public mutating func carried(_ datagram: Span<UInt8>) {
        guard !datagram.isEmpty else { return }
        switch FrameKind(rawValue: datagram[0]) {
        case .goodbye:
            guard case .goodbye(let goodbye) = try? ControlFrame(datagram), goodbye.reason.isFinal else { return }
            outcome = .unwanted
        // Only an open side sends anything but a hello and a goodbye.
        case .latest, .queued, .ping, .pong, .acknowledgement:
            if case .neverOpened = outcome { outcome = .opened }
        default: break
        }
    }

    /// Call when the transport is gone or did not come up. Returns the time to wait before the next attempt.
    public mutating func next() -> Microseconds {
        switch outcome {
        case .neverOpened(let pause):
            outcome = .neverOpened(pause: min(pause + pause, ReconnectDelay.longest))
            return pause
        case .opened:
            outcome = .neverOpened(pause: ReconnectDelay.shortest)
            return ReconnectDelay.shortest
        case .unwanted:
            outcome = .neverOpened(pause: ReconnectDelay.longest)
            return ReconnectDelay.unwanted
        }
    }
}
