import WatchLink

/// The board's clocks: a monotonic one that counts from the start, and a wall clock that may not be set yet.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The local time at `instant`, nil while the wall clock is not set. For an instant before it was set, the time to
    /// which it was set.
    mutating func calendar(at instant: Instant) -> LocalTime?

    /// Sets the wall clock to the present local time. The runtime calls it with the time in the phone's hello.
    mutating func setCalendar(_ time: LocalTime)
}

extension BoardClock where Self: ~Copyable {
    /// The local time now, nil while the wall clock is not set.
    public var calendar: LocalTime? {
        mutating get { calendar(at: now) }
    }
}
