import WatchLink

/// What the wearer waits for besides a tap.
public enum WatchMoment: UInt8, Sendable, BitwiseCopyable {
    /// The list is on the panel, after a touch of the face or a press of the crown.
    case launch = 0
    /// What the phone has changed of the list is on the panel, after the arrival of the message.
    case arrival = 1
    /// What there is to read is on the panel, after the wrist was raised.
    case raise = 2
}

/// A moment that the wearer waits for.
enum AwaitedMoment: BitwiseCopyable {
    case none
    case awaited(WatchMoment, since: Instant)
}
