import WatchLink

/// The complication's dated entries, as the phone sent them: at most 16, in the order of their dates.
public struct Timeline {
    private let entries: FixedArray<ComplicationEntry>
    /// The number of entries, 0 to 16.
    public private(set) var count = 0

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { WatchLimits.timeline * MemoryLayout<ComplicationEntry>.stride }

    /// A time line with no entries, with its memory taken from `arena`.
    init(arena: inout MemoryArena) {
        let none = ComplicationEntry(date: 0, content: .text, remaining: 0, text: ItemTitle())
        entries = arena.take(WatchLimits.timeline, of: none)
    }

    /// The entry at `index`, 0 being the earliest.
    public subscript(index: Int) -> ComplicationEntry {
        precondition(index < count, "the time line has no such entry")
        return entries[index]
    }

    /// Discards every entry, which is how a reload begins.
    public mutating func removeAll() {
        count = 0
    }

    /// Adds an entry at the end.
    ///
    /// An entry whose date is not later than that of the entry before it, or for which there is no room, is left out: time
    /// lines come from another device and are not to be trusted with the order.
    public mutating func extend(with entry: ComplicationEntry) {
        guard count < WatchLimits.timeline else { return }
        if count > 0, entry.date <= entries[count - 1].date { return }
        entries[count] = entry
        count += 1
    }

    /// The position of the entry that holds at `time`: the last one that is not later, nil before the first.
    public func index(at time: LocalTime) -> Int? {
        var current: Int?
        for index in 0..<count where entries[index].date <= time.seconds { current = index }
        return current
    }

    /// The entry `steps` later (positive) or earlier (negative) than the one that holds at `time`, as far as the time line
    /// goes; nil where that leads to no entry other than the current one.
    public func entry(_ steps: Int, stepsFrom time: LocalTime) -> ComplicationEntry? {
        guard count > 0, steps != 0 else { return nil }
        let current = index(at: time) ?? -1
        let wanted = max(0, min(count - 1, current + steps))
        return wanted == current ? nil : entries[wanted]
    }

    /// How many steps the crown can turn from `time`: `lower` back (zero or negative) to `upper` on (zero or positive).
    public func travelRange(from time: LocalTime) -> (lower: Int, upper: Int) {
        let current = index(at: time) ?? -1
        return (current > 0 ? -current : 0, max(0, count - 1 - current))
    }
}
