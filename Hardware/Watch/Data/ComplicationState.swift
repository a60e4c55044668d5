import WatchLink

/// Decides what the complication on the face shows.
///
/// The complication shows the open items, unless the present text of the phone's time line is more relevant. If no item is
/// open, the complication shows the first of these that exists: the present text, the time since the last trip, the date.
/// `UpdatePace` delays a change if the phone changes the content too often.
struct ComplicationState: ~Copyable {
    private var open: (remaining: UInt32, next: ItemTitle)?
    /// The highest number of open items since the list was last empty. The complication's ring is full at this number.
    private var fullest: UInt32 = 0
    var pace = UpdatePace()
    private let inPlace = InPlace()

    /// Sets the number of open items, including those that the watch does not store, and the title of the first open item on
    /// the watch. The title is nil if the watch stores no open item.
    mutating func update(remaining: UInt32, next: ItemTitle?) {
        fullest = remaining == 0 ? 0 : max(fullest, remaining)
        if remaining > 0, let next {
            open = (remaining, next)
        } else {
            open = nil
        }
    }

    /// Returns what the face shows. While `pace` delays a change, this is the content before the change. `now` is nil if the
    /// clock is not set.
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

    /// Appends an entry. Drops it if there is no room, or if its date is not after the date of the last entry: a phone may
    /// send entries out of order.
    mutating func extend(with entry: ComplicationEntry) {
        guard count < WatchLimits.timeline else { return }
        if count > 0, entry.date <= entries[count - 1].date { return }
        entries[count] = entry
        count += 1
    }

    /// Returns the index of the present entry: the last one that has begun by `time`, even if it has expired. Nil if none has
    /// begun.
    func index(at time: LocalTime) -> Int? {
        var current: Int?
        for index in 0..<count where entries[index].date <= time.seconds { current = index }
        return current
    }

    /// Returns the index of the present entry if that entry is a text and has not expired; otherwise nil.
    func indexOfText(at time: LocalTime) -> Int? {
        guard let index = index(at: time), entries[index].content == .text, entries[index].isCurrent(at: time.seconds)
        else { return nil }
        return index
    }

    /// Returns the entry `steps` places after the present entry. Negative steps count back. Stops at the first and the last
    /// entry. Nil if the result would be the present entry.
    func entry(_ steps: Int, stepsFrom time: LocalTime) -> ComplicationEntry? {
        guard count > 0, steps != 0 else { return nil }
        let current = index(at: time) ?? -1
        let wanted = max(0, min(count - 1, current + steps))
        return wanted == current ? nil : entries[wanted]
    }

    /// Returns the number of entries before the present entry, with a minus sign (`lower`), and the number of entries after the
    /// present entry (`upper`).
    func travelRange(from time: LocalTime) -> (lower: Int, upper: Int) {
        let current = index(at: time) ?? -1
        return (current > 0 ? -current : 0, max(0, count - 1 - current))
    }
}
