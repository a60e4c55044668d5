import Watch
import WatchLink

extension MPS2Board: BoardClock {
    var now: Instant {
        @inline(never) mutating get { clock.read() }
    }

    @inline(never)
    func calendar(at instant: Instant) -> LocalTime? {
        switch wallClock {
        case .unset: nil
        case .set(let time, let since): LocalTime(seconds: time.seconds &+ (instant - since).wholeSeconds)
        }
    }

    @inline(never)
    mutating func setCalendar(_ time: LocalTime) {
        wallClock = .set(time, at: now)
    }
}
