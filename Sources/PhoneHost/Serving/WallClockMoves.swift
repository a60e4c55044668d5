import WatchLink

/// Detects that the wearer's clock was set, or that the wearer changed the time zone.
struct WallClockMoves {
    /// The clock's local seconds since 1970 at the last look, and the time of that look; nil before the first.
    private var last: (shown: UInt32, at: WatchLink.Instant)?

    /// A larger difference, in seconds, means that the clock was set.
    private static let tolerance: Int64 = 60

    /// Whether the clock differs at `now` from what it would show without being set since the last look.
    mutating func hasMoved(to shown: UInt32, at now: WatchLink.Instant) -> Bool {
        defer { last = (shown, now) }
        guard let last else { return false }
        let passed = Int64((now.microseconds - last.at.microseconds) / 1_000_000)
        return abs(Int64(shown) - Int64(last.shown) - passed) > WallClockMoves.tolerance
    }
}
