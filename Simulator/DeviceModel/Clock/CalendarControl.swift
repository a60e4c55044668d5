import Synchronization
import Watch
import WatchLink

/// The wall clock of a running watch. Any thread may set it; the board reads it whenever the program asks for the time.
public final class CalendarControl: Sendable {
    private let source: Mutex<BoardCalendar>
    /// The wearer's time zone, in seconds east of UTC: this machine's at first.
    private let zone = Mutex(BoardCalendar.machineZone)
    private let observers = Mutex<[@Sendable () -> Void]>([])

    init(_ calendar: BoardCalendar) { source = Mutex(calendar) }

    /// Moves it forward by a number of seconds, or back where that is negative. One that nobody has set stays so.
    package func move(by seconds: Int64) {
        let farthest = Int64(UInt32.max)
        change { $0.moved(by: min(max(seconds, -farthest), farthest)) }
    }

    /// The wearer travels: the clock shows the time of this zone from now on, given in seconds east of UTC.
    package func travel(toZone seconds: Int64) {
        let before = zone.withLock { zone in
            defer { zone = seconds }
            return zone
        }
        move(by: seconds - before)
    }

    /// What it shows at `instant`, or nil while nobody has set it.
    ///
    /// - Parameter ahead: by how many microseconds the board's clock is ahead of the machine's.
    func time(at instant: Instant, ahead: Int64) -> LocalTime? {
        source.withLock { $0 }.time(at: instant, ahead: ahead)
    }

    /// The program sets it. One that follows this machine's clock stays as it is.
    func set(_ time: LocalTime, at instant: Instant) {
        source.withLock { $0 = $0.setting(time, at: instant) }
    }

    /// Calls `observer` after every change by somebody else than the program, on the thread that made it.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    private func change(_ body: (BoardCalendar) -> BoardCalendar) {
        source.withLock { $0 = body($0) }
        for observer in observers.withLock({ $0 }) { observer() }
    }
}
