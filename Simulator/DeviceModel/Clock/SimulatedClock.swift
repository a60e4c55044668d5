import WatchLink

/// The clock that a simulated board runs on.
public enum SimulatedClock: Sendable {
    /// This machine's: time passes by itself.
    case real(HostClock)
    /// One that jumps from event to event: what the device takes time for is charged to it.
    case virtual(VirtualClock)

    /// The time since the board started.
    public var now: Instant {
        switch self {
        case .real(let clock): clock.now
        case .virtual(let clock): clock.now
        }
    }

    /// The way to its speed, and to pausing it: on the real clock. A virtual one goes as whoever drives it wishes.
    public var control: ClockControl? {
        switch self {
        case .real(let clock): clock.control
        case .virtual: nil
        }
    }
}

/// This machine's monotonic clock, counted from when the board started, at the speed of its control.
public struct HostClock: Sendable {
    /// The way to its speed, and to pausing it.
    public let control = ClockControl()

    /// A clock that stands at zero now.
    public init() {}

    /// The time since the clock was made.
    public var now: Instant { control.now }
}
