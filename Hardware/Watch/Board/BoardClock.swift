import WatchLink

/// The board's clocks: a monotonic one that counts from its start, and a calendar one that may not have been set yet.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// What the wall clock shows at `instant`: seconds since 1970-01-01 00:00 in the wearer's own time zone, or nil while nobody
    /// has set it. For an instant before it was set, that is the time to which it was set.
    mutating func calendar(at instant: Instant) -> LocalTime?

    /// Sets the wall clock. The phone's hello carries the time.
    mutating func setCalendar(_ time: LocalTime)
}

extension BoardClock where Self: ~Copyable {
    /// What the wall clock shows now, or nil while nobody has set it.
    public var calendar: LocalTime? {
        mutating get { calendar(at: now) }
    }
}
