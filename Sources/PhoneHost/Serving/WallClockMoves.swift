import WatchLink

/// Notices that the wearer has set the clock or changed the time zone.
struct WallClockMoves {
    /// What the clock showed at the last call, in local seconds since 1970, and the time of that call; nil before the first.
    private var last: (shown: UInt32, at: WatchLink.Instant)?

    /// How many seconds the clock may differ before it counts as set.
    private static let tolerance: Int64 = 60

    /// Whether the wearer has set the clock since the last call: the clock has not advanced by the time that has passed.
    mutating func hasMoved(to shown: UInt32, at now: WatchLink.Instant) -> Bool {
        defer { last = (shown, now) }
        guard let last else { return false }
        let passed = Int64((now.microseconds - last.at.microseconds) / 1_000_000)
        return abs(Int64(shown) - Int64(last.shown) - passed) > WallClockMoves.tolerance
    }
}
