import WatchLink

/// What the touch controller takes to see a finger.
public struct TouchCost: Sendable, Equatable {
    /// The time from one scan to the next; a finger is seen, and the interrupt fires, at the next scan.
    public var scanInterval: Microseconds

    /// A controller that scans in this interval.
    public init(scanInterval: Microseconds) {
        self.scanInterval = scanInterval
    }

    /// When the interrupt fires for a finger that came down at `instant`. Scans are counted from the start of the board.
    public func interrupt(after instant: Instant) -> Instant {
        let interval = scanInterval.count
        guard interval > 0 else { return instant }
        let scans = instant.microseconds / interval + (instant.microseconds % interval == 0 ? 0 : 1)
        return Instant(microseconds: scans * interval)
    }
}
