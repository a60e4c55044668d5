import WatchLink

/// This machine's monotonic clock, counted from when the board started, as fast as its control lets it go.
public struct HostClock: Sendable {
    /// The way to its speed, and to pausing it.
    public let control = ClockControl()

    /// A clock that stands at zero now.
    public init() {}

    /// The time since the clock was made.
    public var now: Instant { control.now }
}
