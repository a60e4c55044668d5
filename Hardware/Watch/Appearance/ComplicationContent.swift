import WatchLink

/// What a complication says: one entry of its time line, ready to be drawn in any family.
public enum ComplicationContent: Sendable, BitwiseCopyable {
    /// Nothing is known yet.
    case placeholder
    /// A list: how many items remain, of how many there were when it was fullest (the ring is full then; 0 fills it too),
    /// and which comes next.
    case items(remaining: UInt32, outOf: UInt32, next: ItemTitle)
    /// Words of the phone's.
    case text(ItemTitle)
    /// No list: so many seconds have passed since the last trip.
    case lastTrip(secondsAgo: UInt32)
    /// No list and no trip: the day.
    case date(LocalTime)
}
