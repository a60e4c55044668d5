import WatchLink

/// The content of the complication.
///
/// While items remain, it shows their state at the last `update`, except where an entry of the time line is more
/// relevant. Otherwise the clock decides: an entry of the time line, the last trip, or the date. A change by the phone
/// that comes too soon after another waits: see `UpdatePace`.
struct ComplicationState: ~Copyable {
    private enum Subject: BitwiseCopyable {
        case items(remaining: UInt32, next: ItemTitle)
        /// No item waits on the watch.
        case none
    }

    private var subject: Subject = .none
    /// The most items that remained since the list was last empty: a full ring.
    private var fullest: UInt32 = 0
    var pace = UpdatePace()
    private let inPlace = InPlace()

    /// Records the remaining count and the title of the next item, nil where none waits on the watch.
    mutating func update(remaining: UInt32, next: ItemTitle?) {
        fullest = remaining == 0 ? 0 : max(fullest, remaining)
        if remaining > 0, let next {
            subject = .items(remaining: remaining, next: next)
        } else {
            subject = .none
        }
    }

    /// The content on the face at a time, which is nil while the clock is not set.
    func content(
        at now: LocalTime?, _ timeline: borrowing Timeline, lastTrip: LocalTime?
    ) -> ComplicationContent {
        if let held = pace.held { return held }
        return newest(at: now, timeline, lastTrip: lastTrip)
    }

    /// The content that an update at this time would show.
    func newest(
        at now: LocalTime?, _ timeline: borrowing Timeline, lastTrip: LocalTime?
    ) -> ComplicationContent {
        var text: Int?
        if let now { text = timeline.indexOfText(at: now) }
        switch subject {
        case .items(let remaining, let next):
            guard let text, timeline[text].relevance > ComplicationEntry.listRelevance else {
                return .items(remaining: remaining, outOf: fullest, next: next)
            }
        case .none: break
        }
        if let text { return .text(timeline[text].text) }
        guard let now else { return .placeholder }
        guard let lastTrip else { return .date(now) }
        return .lastTrip(secondsAgo: lastTrip < now ? now.seconds - lastTrip.seconds : 0)
    }

    /// The content of an entry that time travel has reached.
    func content(of entry: ComplicationEntry) -> ComplicationContent {
        switch entry.content {
        case .items(let remaining): .items(remaining: remaining, outOf: fullest, next: entry.text)
        case .text: .text(entry.text)
        }
    }
}
