import Glibc
import Histogram

/// The round trips of one turn, one after the other until its time is over.
struct RoundTrips: Sendable {
    /// How long each took, in nanoseconds; a second at most.
    private(set) var times = Histogram<UInt32>(
        highestTrackableValue: 1_000_000_000, numberOfSignificantValueDigits: .three)
    private let length: UInt64
    private var progress = Progress.waiting

    private enum Progress {
        case waiting
        /// When the first round trip began, and the present one, in nanoseconds.
        case running(since: UInt64, tripSince: UInt64)
    }

    /// A turn of this length, which begins with the first round trip.
    init(for length: Duration) {
        self.length = UInt64(length / .nanoseconds(1))
    }

    /// Ends the round trip that went on. Returns whether there is time for another, which begins.
    mutating func begin() -> Bool {
        let now = RoundTrips.now()
        guard case .running(let start, let tripStart) = progress else {
            progress = .running(since: now, tripSince: now)
            return true
        }
        times.record(min(now - tripStart, 1_000_000_000))
        progress = .running(since: start, tripSince: now)
        return now - start < length
    }

    /// Half of them took no longer, in nanoseconds.
    var median: Double { Double(times.valueAtPercentile(50)) }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
