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
    public init?(_ times: [Microseconds]) {
        let sorted = times.map { min($0.count, Distribution.longest) }.sorted()
        guard let longest = sorted.last else { return nil }
        // The nearest rank.
        func figure(_ percentile: Int) -> UInt64 { sorted[Swift.max(1, (percentile * sorted.count + 50) / 100) - 1] }
        self.init(p50: figure(50), p90: figure(90), p99: figure(99), max: longest, count: times.count)
    }
}
