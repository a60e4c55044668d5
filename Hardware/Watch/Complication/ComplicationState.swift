import WatchLink

/// What the complication says. It always has something to say.
///
/// While there are items it says what was current at the last `update`. Without items the clock decides: an entry of the time
/// line, the last trip, or the date.
struct ComplicationState: ~Copyable {
    /// What it is about.
    private enum Subject: BitwiseCopyable {
        /// The list: the count and the next title.
        case items(remaining: UInt32, next: ItemTitle)
        /// No item waits on the watch.
        case none
    }

    private var subject: Subject = .none
    /// The most items that remained since the list was last empty: a full ring.
    private var fullest: UInt32 = 0
    private let inPlace = InPlace()

    /// Takes over what remains of the list and the title of the item that comes next, nil where none waits on the watch.
    mutating func update(remaining: UInt32, next: ItemTitle?) {
        fullest = remaining == 0 ? 0 : max(fullest, remaining)
        if remaining > 0, let next {
            subject = .items(remaining: remaining, next: next)
        } else {
            subject = .none
        }
    }

    /// What it says at this time, nil while the clock is not set.
    func content(
        at now: LocalTime?, _ timeline: borrowing Timeline, lastTrip: LastTrip
    ) -> ComplicationContent {
        switch (subject, now) {
        case (.items(let remaining, let next), _):
            return .items(remaining: remaining, outOf: fullest, next: next)
        case (.none, nil):
            return .placeholder
        case (.none, let now?):
            if let index = timeline.index(at: now), timeline[index].content == .text {
                return .text(timeline[index].text)
            }
            switch lastTrip {
            case .ended(let time): return .lastTrip(secondsAgo: time < now ? now.seconds - time.seconds : 0)
            case .never: return .date(now)
            }
        }
    }

    /// What it says of an entry to which time has travelled.
    func content(of entry: ComplicationEntry) -> ComplicationContent {
        switch entry.content {
        case .items: .items(remaining: entry.remaining, outOf: fullest, next: entry.text)
        case .text: .text(entry.text)
        }
    }
}
