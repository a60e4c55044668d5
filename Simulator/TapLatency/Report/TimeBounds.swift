/// Times as they are with the fewest and with the most cycles that the manual of the processor's core allows for what was executed,
/// everything else being equal: the error of the core's model. What waits for the radio link may absorb some of it, so the bounds
/// of marks behind such a wait are wider than what a device could show.
public struct TimeBounds<Times: Sendable & Codable & Equatable>: Sendable, Codable, Equatable {
    /// With the fewest cycles.
    public var fewest: Times
    /// With the most.
    public var most: Times
}

extension TimeBounds<MarkTimes> {
    /// The medians of a mark.
    package func medians(of mark: LatencyMark) -> ClosedRange<UInt64>? {
        guard let fewest = fewest[mark]?.p50, let most = most[mark]?.p50, fewest <= most else { return nil }
        return fewest...most
    }
}

extension TimeBounds<Distribution> {
    /// The medians.
    package var medians: ClosedRange<UInt64> { fewest.p50...max(fewest.p50, most.p50) }
}
