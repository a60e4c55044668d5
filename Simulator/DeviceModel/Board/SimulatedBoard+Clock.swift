import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The time since the board started.
    public var now: Instant { clock.now }

    /// The wall clock, or nil while nobody has set it.
    public var calendar: LocalTime? { calendarSource.time(at: clock.now, ahead: control?.ahead ?? 0) }

    /// The way to the clock's speed, and to pausing it, on the real clock.
    public var control: ClockControl? { clock.control }

    /// Sets the wall clock. One that follows this machine's stays as it is.
    public func setCalendar(_ time: LocalTime) {
        calendarSource = calendarSource.setting(time, at: clock.now)
    }
}
