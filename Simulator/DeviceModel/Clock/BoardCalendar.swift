import Glibc
import Synchronization
import Watch
import WatchLink

/// The source of a simulated board's wall clock.
public enum BoardCalendar: Sendable {
    /// The wall clock shows this machine's local time plus this number of seconds. The speed and the pauses of `ClockControl`
    /// also apply to the wall clock. The watch's program cannot set the wall clock.
    case machineMoved(by: Int64)
    case unset
    case set(LocalTime, at: Instant)

    /// Returns the time on the wall clock at `instant`, or nil if the wall clock is not set. The board's clock is `ahead`
    /// microseconds ahead of this machine's clock. If the wall clock follows this machine's clock, ignores `instant`.
    /// Otherwise, ignores `ahead`.
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

    /// Returns the wall clock after the watch's program has set it to `time` at `instant`. A wall clock that follows this
    /// machine's clock does not change.
    public func setting(_ time: LocalTime, at instant: Instant) -> BoardCalendar {
        switch self {
        case .machineMoved: self
        case .unset, .set: .set(time, at: instant)
        }
    }

    /// Friday, 2026-11-20 10:08:30. Simulations that must be the same on every machine start at this time.
    package static let example = LocalTime(seconds: 1_795_169_310)

    /// This machine's wall clock.
    public static var machine: BoardCalendar { .machineMoved(by: 0) }

    /// Returns the wall clock moved forward by `seconds`, or back if `seconds` is negative. An unset clock stays unset.
    func moved(by seconds: Int64) -> BoardCalendar {
        switch self {
        case .machineMoved(let before): .machineMoved(by: before + seconds)
        case .unset: .unset
        case .set(let time, let instant):
            .set(LocalTime(seconds: UInt32(clamping: Int64(time.seconds) + seconds)), at: instant)
        }
    }

    func showing(_ time: LocalTime, at instant: Instant, ahead: Int64) -> BoardCalendar {
        switch self {
        case .machineMoved:
            .machineMoved(by: Int64(time.seconds) - Int64(BoardCalendar.machineTime.seconds) - ahead / 1_000_000)
        case .unset, .set: .set(time, at: instant)
        }
    }

    /// This machine's time zone, in seconds east of UTC.
    static var machineZone: Int64 {
        var seconds = Glibc.time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        return Int64(fields.tm_gmtoff)
    }

    private static var machineTime: LocalTime {
        LocalTime(seconds: UInt32(clamping: Int64(Glibc.time(nil)) + machineZone))
    }
}

/// The wall clock of a running watch. Any thread may set it. The board reads it when the program asks for the time.
public final class CalendarControl: Sendable {
    private let source: ObservedValue<BoardCalendar>
    private let zone: Mutex<Int64>

    init(_ calendar: BoardCalendar) {
        source = ObservedValue(calendar)
        zone =
            switch calendar {
            // The time zone is UTC, so that a script with a fixed time gives the same result on every machine.
            case .set: Mutex(0)
            case .unset, .machineMoved: Mutex(BoardCalendar.machineZone)
            }
    }

    package func move(by seconds: Int64) {
        let farthest = Int64(UInt32.max)
        change { $0.moved(by: min(max(seconds, -farthest), farthest)) }
    }

    /// The wearer's time zone, in seconds east of UTC.
    package var zoneSeconds: Int64 { zone.withLock { $0 } }

    /// Changes only the zone. The time on the clock stays the same.
    package func setZone(seconds: Int64) { zone.withLock { $0 = seconds } }

    /// Sets the wall clock to `time` at the user's request, and calls the observers. Unlike `set`, works even if the wall clock
    /// follows this machine's clock. The board's clock is `ahead` microseconds ahead of this machine's clock.
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

    func time(at instant: Instant, ahead: Int64) -> LocalTime? {
        source.value.time(at: instant, ahead: ahead)
    }

    /// Sets the wall clock to `time` at the request of the watch's program. Does nothing if the wall clock follows this
    /// machine's clock. Calls no observers.
    func set(_ time: LocalTime, at instant: Instant) {
        source.changeSilently { $0 = $0.setting(time, at: instant) }
    }

    /// Calls `observer` after each change of the wall clock, on the thread that makes the change. Ignores changes by the
    /// watch's program.
    func observe(_ observer: @escaping @Sendable () -> Void) { source.observe(observer) }

    private func change(_ body: (BoardCalendar) -> BoardCalendar) { source.change { $0 = body($0) } }
}

package struct CalendarReading: Sendable, Equatable, Codable {
    package enum Keeper: String, Sendable, Codable {
        case watch
        /// The wall clock follows this machine's clock.
        case machine
    }

    /// The wearer's local time, in seconds since 1970. Nil if the clock is not set.
    package var shows: UInt32?
    package var keptBy: Keeper
    /// The wearer's time zone, in seconds east of UTC.
    package var zone: Int64
}
