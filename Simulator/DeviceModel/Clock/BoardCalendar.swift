import Glibc
import Watch
import WatchLink

/// Where a simulated board's wall clock comes from.
public enum BoardCalendar: Sendable {
    /// This machine's wall clock in its own time zone, as far ahead of it or behind as the board's clock has gone faster or
    /// slower, and by these seconds. It is kept right by the machine, so setting it has no effect.
    case machineMoved(by: Int64)
    /// Nobody has set it since the board started.
    case unset
    /// It showed `time` at `instant` and has gone on since.
    case set(LocalTime, at: Instant)

    /// What the wall clock shows at `instant`, or nil while nobody has set it.
    ///
    /// - Parameter ahead: by how many microseconds the board's clock is ahead of the machine's.
    public func time(at instant: Instant, ahead: Int64 = 0) -> LocalTime? {
        switch self {
        case .machineMoved(let seconds):
            LocalTime(
                seconds: UInt32(clamping: Int64(BoardCalendar.machineTime.seconds) + ahead / 1_000_000 + seconds))
        case .unset: nil
        case .set(let time, let earlier):
            LocalTime(
                seconds: UInt32(
                    clamping: UInt64(time.seconds) + min((instant - earlier).count / 1_000_000, UInt64(UInt32.max))))
        }
    }

    /// The calendar after somebody set it to `time` at `instant`.
    public func setting(_ time: LocalTime, at instant: Instant) -> BoardCalendar {
        switch self {
        case .machineMoved: self
        case .unset, .set: .set(time, at: instant)
        }
    }

    /// This machine's wall clock.
    public static var machine: BoardCalendar { .machineMoved(by: 0) }

    /// The calendar after somebody moved it by this number of seconds: not beyond 1970 and 2106. One that nobody has set stays so.
    func moved(by seconds: Int64) -> BoardCalendar {
        switch self {
        case .machineMoved(let before): .machineMoved(by: before + seconds)
        case .unset: .unset
        case .set(let time, let instant):
            .set(LocalTime(seconds: UInt32(clamping: Int64(time.seconds) + seconds)), at: instant)
        }
    }

    /// The calendar after somebody had it show `time` at `instant`.
    func showing(_ time: LocalTime, at instant: Instant, ahead: Int64) -> BoardCalendar {
        switch self {
        case .machineMoved:
            .machineMoved(by: Int64(time.seconds) - Int64(BoardCalendar.machineTime.seconds) - ahead / 1_000_000)
        case .unset, .set: .set(time, at: instant)
        }
    }

    /// This machine's time zone now, in seconds east of UTC.
    static var machineZone: Int64 {
        var seconds = Glibc.time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        return Int64(fields.tm_gmtoff)
    }

    /// This machine's wall clock, in its own time zone.
    private static var machineTime: LocalTime {
        LocalTime(seconds: UInt32(clamping: Int64(Glibc.time(nil)) + machineZone))
    }
}
