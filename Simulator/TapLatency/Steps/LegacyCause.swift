import Watch

/// A pair of numbers on which legacy's tap-to-update depends: the items that the phone sends again, and the packets of an event.
struct LegacyCause: Sendable, Equatable {
    /// Items in the phone's database.
    let database: Int
    /// Packets that a connection event carries each way at most.
    let packetsPerEvent: Int

    /// Taps of each: enough for a median of times that differ by the connection's phase alone.
    private static let taps = 2

    /// Three lists by what controllers in use carry in an event.
    static let all = [200, 2_000, 5_000].flatMap { database in
        [1, 3, 6].map { LegacyCause(database: database, packetsPerEvent: $0) }
    }

    /// The same conditions but for this, with a watch that is full: the phone's list is as long as its database.
    func conditions(from conditions: Conditions) -> Conditions {
        var varied = conditions
        varied.items = WatchLimits.items
        varied.database = database
        varied.taps = min(conditions.taps, LegacyCause.taps)
        varied.profile.radio.packetsPerEvent = packetsPerEvent
        return varied
    }
}

extension LegacyPoint {
    /// Legacy as it was measured.
    init(_ cause: LegacyCause, _ report: TapReport) {
        self.init(
            database: cause.database, packetsPerEvent: cause.packetsPerEvent, updated: report.marks.updated)
    }
}
