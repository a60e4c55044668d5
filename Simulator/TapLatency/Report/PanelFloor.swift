/// Two figures of the panel's own transfer time, in microseconds.
public struct FloorTimes: Sendable, Codable, Equatable {
    /// The time that half of the taps stay within.
    public var p50: UInt64
    /// The time that 99 % stay within.
    public var p99: UInt64
}

/// What sending a tap's dirty lines takes by itself: no handler on this panel is faster.
public struct PanelFloor: Sendable, Codable, Equatable {
    /// The lines of the struck row.
    public var updated: FloorTimes
    /// The lines that change as the row goes.
    public var settled: FloorTimes
}
