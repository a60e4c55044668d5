/// How long the side that connects waits before it connects again. PROTOCOL.md has the rule.
///
/// It learns how the link ended from the frames of the transport that it is shown, in either direction.
public struct ReconnectDelay: Sendable, BitwiseCopyable {
    /// How the last transport fared.
    private enum Outcome: BitwiseCopyable {
        /// The two sides have not both said hello; the next pause is as long as this.
        case neverOpened(pause: Microseconds)
        /// They have.
        case opened
        /// One of them has said goodbye for a reason that coming back at once does not change.
        case unwanted
    }

    /// The pause after a link that was open: 50 ms.
    public static var shortest: Microseconds { .milliseconds(50) }
    /// The longest pause after transports that came up and never became an open link: 2 s.
    public static var longest: Microseconds { .seconds(2) }
    /// The pause after a goodbye with reason 1 (no version in common) or 3 (not wanted): 60 s.
    public static var unwanted: Microseconds { .seconds(60) }

    private var outcome = Outcome.neverOpened(pause: ReconnectDelay.shortest)

    /// The delay before a first attempt has failed.
    public init() {}

    /// The transport has carried a datagram, in either direction.
    public mutating func carried(_ datagram: Span<UInt8>) {
        guard !datagram.isEmpty else { return }
        switch FrameKind(rawValue: datagram[0]) {
        case .goodbye:
            guard case .goodbye(let goodbye) = try? ControlFrame(datagram), goodbye.reason.isFinal else { return }
            outcome = .unwanted
        // Only a side that is open sends anything but a hello and a goodbye.
        case .latest, .queued, .ping, .pong, .acknowledgement:
            switch outcome {
            case .neverOpened: outcome = .opened
            case .opened, .unwanted: break
            }
        default: break
        }
    }

    /// The transport is gone, or did not come up: the time to wait before the next attempt.
    public mutating func next() -> Microseconds {
        let last = outcome
        switch last {
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
