import Glibc
import Synchronization
import Watch
import WatchLink

/// The source of a simulated board's wall clock.
public enum BoardCalendar: Sendable {
    /// This machine's wall clock in its own time zone, moved by these seconds, and by the time that the board's clock has gained
    /// or lost. The machine keeps it right, so the watch's program cannot set it.
    case machineMoved(by: Int64)
    case unset
    case set(LocalTime, at: Instant)

    /// What the wall clock shows at `instant`; nil while it is unset. `ahead` is the number of microseconds by which the board's
    /// clock is ahead of the machine's.
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

    /// The calendar after the program set it to `time` at `instant`.
    public func setting(_ time: LocalTime, at instant: Instant) -> BoardCalendar {
        switch self {
        case .machineMoved: self
        case .unset, .set: .set(time, at: instant)
        }
    }

    /// Friday, 2026-11-20 10:08:30: the start for a run that is the same on every machine.
    package static let example = LocalTime(seconds: 1_795_169_310)

    /// This machine's wall clock.
    public static var machine: BoardCalendar { .machineMoved(by: 0) }

    /// Moves the clock. A set clock stops at 1970 and at 2106; one that was never set stays unset.
    func moved(by seconds: Int64) -> BoardCalendar {
        switch self {
        case .machineMoved(let before): .machineMoved(by: before + seconds)
        case .unset: .unset
        case .set(let time, let instant):
            .set(LocalTime(seconds: UInt32(clamping: Int64(time.seconds) + seconds)), at: instant)
        }
    }

    /// The calendar after the user set it to `time` at `instant`.
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

/// The wall clock of a running watch. Any thread may set it; the board reads it whenever the program asks for the time.
public final class CalendarControl: Sendable {
    private let source: ObservedValue<BoardCalendar>
    private let zone: Mutex<Int64>

    init(_ calendar: BoardCalendar) {
        source = ObservedValue(calendar)
        zone =
            switch calendar {
            // A script's own clock is the same on every machine.
            case .set: Mutex(0)
            case .unset, .machineMoved: Mutex(BoardCalendar.machineZone)
            }
    }

    /// Moves it forward, or back if negative. A clock that was never set stays unset.
    package func move(by seconds: Int64) {
        let farthest = Int64(UInt32.max)
        change { $0.moved(by: min(max(seconds, -farthest), farthest)) }
    }

    /// The wearer's time zone, in seconds east of UTC.
    package var zoneSeconds: Int64 { zone.withLock { $0 } }

    /// Sets the wearer's time zone. The time on the clock stays.
    package func setZone(seconds: Int64) { zone.withLock { $0 = seconds } }

    /// Shows `time` at `instant` and continues from there.
    ///
    /// - Parameter ahead: microseconds by which the board's clock is ahead of the machine's.
    package func show(_ time: LocalTime, at instant: Instant, ahead: Int64) {
        change { $0.showing(time, at: instant, ahead: ahead) }
    }

    func reading(at instant: Instant, ahead: Int64) -> CalendarReading {
        let source = source.value
        let keeper: CalendarReading.Keeper =
            switch source {
            case .machineMoved: .machine
            case .unset, .set: .watch
            }
        return CalendarReading(
            shows: source.time(at: instant, ahead: ahead)?.seconds, keptBy: keeper, zone: zoneSeconds)
    }

    /// Shows an earlier reading at `instant`, with the same keeper.
    func restore(_ reading: CalendarReading, at instant: Instant, ahead: Int64) {
        setZone(seconds: reading.zone)
        change { _ in
            guard let time = reading.shows.map(LocalTime.init) else { return .unset }
            return switch reading.keptBy {
            case .watch: .set(time, at: instant)
            case .machine: BoardCalendar.machine.showing(time, at: instant, ahead: ahead)
            }
        }
    }

    /// The time on the clock; nil while it is unset.
    ///
    /// - Parameter ahead: microseconds by which the board's clock is ahead of the machine's.
    func time(at instant: Instant, ahead: Int64) -> LocalTime? {
        source.value.time(at: instant, ahead: ahead)
    }

    /// Sets the clock for the program. A clock that follows this machine's is unchanged.
    func set(_ time: LocalTime, at instant: Instant) {
        source.changeSilently { $0 = $0.setting(time, at: instant) }
    }

    /// Calls `observer` after each change that the program did not make, on the thread that made the change.
    func observe(_ observer: @escaping @Sendable () -> Void) { source.observe(observer) }

    private func change(_ body: (BoardCalendar) -> BoardCalendar) { source.change { $0 = body($0) } }
}

/// What a wall clock shows, and what keeps it right.
package struct CalendarReading: Sendable, Equatable, Codable {
    package enum Keeper: String, Sendable, Codable {
        case watch
        /// The wall clock of this machine.
        case machine
    }

    /// Seconds since 1970 on the clock that the wearer sees; nil while it is unset.
    package var shows: UInt32?
    package var keptBy: Keeper
    /// The wearer's time zone, in seconds east of UTC.
    package var zone: Int64
}
