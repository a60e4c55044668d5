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

    /// The wearer's time zone, in seconds east of UTC.
    package var zoneSeconds: Int64 { zone.withLock { $0 } }

    /// Sets the wearer's time zone, and leaves the time that the clock shows.
    package func setZone(seconds: Int64) { zone.withLock { $0 = seconds } }

    /// Shows `time` at `instant`, and goes on from there. One that nobody has set is set by that.
    ///
    /// - Parameter ahead: by how many microseconds the board's clock is ahead of the machine's.
    package func show(_ time: LocalTime, at instant: Instant, ahead: Int64) {
        change { $0.showing(time, at: instant, ahead: ahead) }
    }

    /// What keeps it right, and what it shows at `instant`.
    func reading(at instant: Instant, ahead: Int64) -> CalendarReading {
        let source = source.withLock { $0 }
        guard let time = source.time(at: instant, ahead: ahead) else { return .unset }
        return switch source {
        case .machineMoved: .ofMachine(time)
        case .unset, .set: .ofWatch(time)
        }
    }

    /// Has it show what was read earlier, at `instant`, with the same keeper.
    func restore(_ reading: CalendarReading, at instant: Instant, ahead: Int64) {
        change { _ in
            switch reading {
            case .unset: .unset
            case .ofWatch(let time): .set(time, at: instant)
            case .ofMachine(let time): BoardCalendar.machine.showing(time, at: instant, ahead: ahead)
            }
        }
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

/// What a wall clock shows at one moment, and who keeps it right.
package enum CalendarReading: Sendable, Equatable {
    /// Nobody has set it.
    case unset
    /// The watch itself.
    case ofWatch(LocalTime)
    /// The clock of the machine that simulates it.
    case ofMachine(LocalTime)

    /// What it shows; nil while nobody has set it.
    package var time: LocalTime? {
        switch self {
        case .unset: nil
        case .ofWatch(let time), .ofMachine(let time): time
        }
    }
}
