import Glibc
import WatchLink

/// This machine's monotonic clock, counted from when the board started.
public struct MachineClock: Sendable {
    private let origin: UInt64

    /// A clock that stands at zero now.
    public init() {
        origin = MachineClock.monotonicMicroseconds
    }

    /// The time since the clock was made.
    public var now: Instant {
        Instant(microseconds: MachineClock.monotonicMicroseconds - origin)
    }

    /// CLOCK_MONOTONIC in microseconds. It does not count the time that the machine is suspended, as the watch it stands for
    /// does not run then either.
    private static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
