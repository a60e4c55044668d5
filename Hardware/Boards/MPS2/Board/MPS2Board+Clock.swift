import Watch
import WatchLink

extension MPS2Board: BoardClock {
    var now: Instant {
        @inline(never) mutating get { clock.read() }
    }

    var calendar: LocalTime? {
        @inline(never) mutating get {
            switch wallClock {
            case .unset: return nil
            case .set(let time, let since):
                return LocalTime(seconds: time.seconds &+ (now - since).wholeSeconds)
            }
        }
    }

    @inline(never)
    mutating func setCalendar(_ time: LocalTime) {
        wallClock = .set(time, at: now)
    }
}
