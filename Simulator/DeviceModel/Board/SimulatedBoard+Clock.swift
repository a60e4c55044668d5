import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The time since the board started.
    public var now: Instant { clock.now }

    /// What the wall clock shows now, or nil while nobody has set it.
    public var calendar: LocalTime? { calendar(at: clock.now) }

    /// What the wall clock shows at `instant`, or nil while nobody has set it.
    public func calendar(at instant: Instant) -> LocalTime? {
        let passed = Int64(clamping: (clock.now - instant).count)
        return calendarControl?.time(at: instant, ahead: (control?.ahead ?? 0) - passed)
    }

    /// The way to the clock's speed, and to pausing it, on the real clock.
    public var control: ClockControl? { clock.control }

    /// Sets the wall clock. One that follows this machine's stays as it is.
    public func setCalendar(_ time: LocalTime) {
        calendarControl?.set(time, at: clock.now)
    }
}
