import Histogram
import WatchLink

/// How a time is distributed over the taps of a measurement, in whole microseconds.
public struct Distribution: Sendable, Codable, Equatable {
    /// The time that half of the taps stay within.
    public let p50: UInt64
    /// The time that 90 % stay within.
    public let p90: UInt64
    /// The time that 99 % stay within.
    public let p99: UInt64
    /// The longest.
    public let max: UInt64
    /// How many taps it is of, at least one.
    public let count: Int

    /// The longest time that is recorded as it is, in microseconds: an hour; longer ones count as this.
    static let longest: UInt64 = 3_600_000_000
}

extension Distribution {
    /// The distribution of these times, or nil of none.
    ///
    /// They go through an HdrHistogram of four significant digits, so a figure is at most 0.01 % above the time it
    /// stands for.
    public init?(_ times: [Microseconds]) {
        guard let longest = times.max() else { return nil }
        // Of the size that it needs: growing takes longer than all else.
        var histogram = Histogram<UInt32>(
            highestTrackableValue: Swift.max(2, min(longest.count, Distribution.longest)),
            numberOfSignificantValueDigits: .four)
        for time in times { histogram.record(min(time.count, Distribution.longest)) }
        // The end of a histogram's range never lies beyond the longest time that was recorded.
        func figure(_ percentile: Double) -> UInt64 { min(histogram.valueAtPercentile(percentile), longest.count) }
        self.init(p50: figure(50), p90: figure(90), p99: figure(99), max: longest.count, count: times.count)
    }
}
