import WatchLink

/// Notices that the wearer's clock was set, or that the wearer is in another time zone.
struct WallClockMoves {
    /// What the clock showed at the last look, in local seconds since 1970, and when that was; nil before the first.
    private var last: (shown: UInt32, at: WatchLink.Instant)?

    /// A difference that nobody's clock has by itself, in seconds.
    private static let tolerance: Int64 = 60

    /// Whether the clock shows something else at `now` than it would if nobody had set it since the last look.
    mutating func hasMoved(to shown: UInt32, at now: WatchLink.Instant) -> Bool {
        defer { last = (shown, now) }
        guard let last else { return false }
        let passed = Int64((now.microseconds - last.at.microseconds) / 1_000_000)
        return abs(Int64(shown) - Int64(last.shown) - passed) > WallClockMoves.tolerance
    }
}
