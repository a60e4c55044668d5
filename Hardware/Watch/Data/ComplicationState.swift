import WatchLink

/// Decides what the complication on the face shows.
///
/// If there are open items, the face shows them, unless an entry of the phone's time line is more relevant. Otherwise it shows
/// an entry of the time line, the last trip, or the date. `UpdatePace` delays a change by the phone that comes too soon after
/// another.
struct ComplicationState: ~Copyable {
    private var open: (remaining: UInt32, next: ItemTitle)?
    /// The highest number of open items since the list was last empty. With this number, the ring is full.
    private var fullest: UInt32 = 0
    var pace = UpdatePace()
    private let inPlace = InPlace()

    /// `remaining` counts the open items; `next` is nil if the watch has none of them.
    mutating func update(remaining: UInt32, next: ItemTitle?) {
        fullest = remaining == 0 ? 0 : max(fullest, remaining)
        if remaining > 0, let next {
            open = (remaining, next)
        } else {
            open = nil
        }
    }

    /// The content for the face. While a change waits, this is the old content. `now` is nil if the clock is not set.
    @inline(never)
    func content(
        at now: LocalTime?, _ timeline: borrowing Timeline, lastCheckOff: LocalTime?
    ) -> ComplicationContent {
        if let held = pace.held { return held }
        return newest(at: now, timeline, lastCheckOff: lastCheckOff)
    }

    func newest(
        at now: LocalTime?, _ timeline: borrowing Timeline, lastCheckOff: LocalTime?
    ) -> ComplicationContent {
        var text: Int?
        if let now { text = timeline.indexOfText(at: now) }
        if let open {
            guard let text, timeline[text].relevance > ComplicationEntry.listRelevance else {
                return .items(remaining: open.remaining, outOf: fullest, next: open.next)
            }
        }
        if let text { return .text(timeline[text].text) }
        guard let now else { return .placeholder }
        guard let lastCheckOff else { return .date(now) }
        return .lastTrip(secondsAgo: lastCheckOff < now ? now.seconds - lastCheckOff.seconds : 0)
    }

    @inline(never)
    func content(of entry: ComplicationEntry) -> ComplicationContent {
        switch entry.content {
        case .items(let remaining): .items(remaining: remaining, outOf: fullest, next: entry.text)
        case .text: .text(entry.text)
        }
    }
}

/// The complication entries from the phone, in order of date.
struct Timeline {
    private let entries: FixedArray<ComplicationEntry>
    private(set) var count = 0

    static var memorySize: Int { WatchLimits.timeline * MemoryLayout<ComplicationEntry>.stride }

    init(arena: inout MemoryArena) {
        let unused = ComplicationEntry(date: 0, content: .text, text: ItemTitle())
        entries = arena.take(WatchLimits.timeline, of: unused)
    }

    subscript(index: Int) -> ComplicationEntry {
        precondition(index < count, "the time line has no such entry")
        return entries[index]
    }

    mutating func removeAll() {
        count = 0
    }

    /// Appends an entry. Drops it if there is no room, or if the last entry is not earlier: a phone may send entries out of
    /// order.
    mutating func extend(with entry: ComplicationEntry) {
        guard count < WatchLimits.timeline else { return }
        if count > 0, entry.date <= entries[count - 1].date { return }
        entries[count] = entry
        count += 1
    }

    /// The index of the last entry that is not later than `time`. Nil if there is none.
    func index(at time: LocalTime) -> Int? {
        var current: Int?
        for index in 0..<count where entries[index].date <= time.seconds { current = index }
        return current
    }

    /// The index of the present entry if it is a text that has not expired; otherwise nil.
    func indexOfText(at time: LocalTime) -> Int? {
        guard let index = index(at: time), entries[index].content == .text, entries[index].isCurrent(at: time.seconds)
        else { return nil }
        return index
    }

    /// The entry that is `steps` entries after the present one, or before it if `steps` is negative, at most the last or first
    /// entry. Nil if that is the present entry, or if there are no entries.
    func entry(_ steps: Int, stepsFrom time: LocalTime) -> ComplicationEntry? {
        guard count > 0, steps != 0 else { return nil }
        let current = index(at: time) ?? -1
        let wanted = max(0, min(count - 1, current + steps))
        return wanted == current ? nil : entries[wanted]
    }

    /// How many entries the crown can move back (`lower`, at most 0) and forward (`upper`, at least 0).
    func travelRange(from time: LocalTime) -> (lower: Int, upper: Int) {
        let current = index(at: time) ?? -1
        return (current > 0 ? -current : 0, max(0, count - 1 - current))
    }
}
