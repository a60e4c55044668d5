import WatchLink

/// The board's clocks: a monotonic one that counts from its start, and a calendar one that may not have been set yet.
public protocol BoardClock: ~Copyable {
    /// The time since the board started. It never goes back.
    var now: Instant { mutating get }

    /// The wall clock: seconds since 1970-01-01 00:00 in the wearer's own time zone, or nil while nobody has set it.
    var calendar: LocalTime? { mutating get }

    /// Sets the wall clock. The phone's hello carries the time.
    mutating func setCalendar(_ time: LocalTime)
}
