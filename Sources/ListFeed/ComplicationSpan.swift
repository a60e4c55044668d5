import WatchLink

/// What one source wants the complication to show between two times.
package struct ComplicationSpan: Equatable, Sendable {
    /// Where a span comes from.
    package enum Source: Equatable, Sendable {
        /// The open items of the list.
        case list
        /// The time since the last trip.
        case lastTrip
        /// A trip that the owner usually makes at that hour.
        case usualTrip
        /// A note of the owner, with its number.
        case note(Int64)

        fileprivate var isList: Bool {
            switch self {
            case .list: true
            case .lastTrip, .usualTrip, .note: false
            }
        }

        /// 0 for what is no note.
        fileprivate var noteNumber: Int64 {
            switch self {
            case .list, .lastTrip, .usualTrip: 0
            case .note(let number): number
            }
        }
    }

    package let source: Source
    /// When it begins, in local seconds since 1970: the beginning of the minute that it was given in.
    package let start: UInt32
    /// When it ends, in local seconds since 1970: the beginning of the minute that it was given in, and a minute after
    /// the start at least; nil for never.
    package let end: UInt32?
    package let content: ComplicationEntry.Content
    package let text: ItemTitle
    /// How much it matters beside the others, 0 to 255.
    package let relevance: UInt8

    /// A span of whole minutes, which is what a face shows.
    package init(
        _ source: Source, from start: UInt32, to end: UInt32?, _ content: ComplicationEntry.Content, text: String,
        relevance: UInt8
    ) {
        self.source = source
        let (first, minute) = (start - start % ComplicationSpan.minute, ComplicationSpan.minute)
        self.start = first
        self.end = end.map { max($0 - $0 % minute, first + min(minute, .max - first)) }
        self.content = content
        self.text = ItemTitle(cutting: text)
        self.relevance = relevance
    }

    /// The least time between two entries of a time line, in seconds.
    package static let minute: UInt32 = 60

    func covers(_ time: UInt32) -> Bool {
        guard start <= time else { return false }
        guard let end else { return true }
        return time < end
    }

    /// Whether it is shown in the place of another at a time that both cover: the more relevant one, of two as relevant
    /// the list, because the watch shows its own then, and otherwise the one that began later. Of two notes that began
    /// in the same minute, the one that was added later is shown.
    func precedes(_ other: ComplicationSpan) -> Bool {
        if relevance != other.relevance { return relevance > other.relevance }
        if source.isList != other.source.isList { return source.isList }
        return (start, source.noteNumber) > (other.start, other.source.noteNumber)
    }

    /// Its entry from a date on. The list's has no relevance on the wire: the watch knows that of its own list.
    func entry(at date: UInt32) -> ComplicationEntry {
        ComplicationEntry(
            date: date, content: content, text: text, relevance: source.isList ? 0 : relevance, expires: end)
    }
}
