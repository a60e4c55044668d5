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
