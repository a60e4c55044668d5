import WatchLink

package struct ComplicationSpan: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        case list
        case lastTrip
        case usualTrip
        /// A note of the owner, with its number.
        case note(Int64)

        fileprivate var isList: Bool {
            switch self {
            case .list: true
            case .lastTrip, .usualTrip, .note: false
            }
        }

        fileprivate var noteNumber: Int64 {
            switch self {
            case .list, .lastTrip, .usualTrip: 0
            case .note(let number): number
            }
        }
    }

    package let source: Source
    /// When the span begins, in local seconds since 1970, rounded down to a full minute.
    package let start: UInt32
    /// When the span ends, in local seconds since 1970, rounded down to a full minute; nil for never. The end is at least a
    /// minute after the start.
    package let end: UInt32?
    package let content: ComplicationEntry.Content
    package let text: ItemTitle
    package let relevance: UInt8

    /// Rounds the times down to full minutes, because a face shows no seconds.
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

    /// The shortest time between two entries of a time line, in seconds.
    package static let minute: UInt32 = 60

    func covers(_ time: UInt32) -> Bool {
        guard start <= time else { return false }
        guard let end else { return true }
        return time < end
    }

    /// Whether the complication shows this span instead of `other` where they overlap. The more relevant span wins.
    ///
    /// If both are equally relevant, the list wins, as it does on the watch. Otherwise the later start wins. If two
    /// notes begin in the same minute, the newer note wins.
    func precedes(_ other: ComplicationSpan) -> Bool {
        if relevance != other.relevance { return relevance > other.relevance }
        if source.isList != other.source.isList { return source.isList }
        return (start, source.noteNumber) > (other.start, other.source.noteNumber)
    }

    /// Returns the watch's entry for this span from `date` on. The list's entry has relevance 0, because the watch
    /// always gives its list the relevance 100.
    func entry(at date: UInt32) -> ComplicationEntry {
        ComplicationEntry(
            date: date, content: content, text: text, relevance: source.isList ? 0 : relevance, expires: end)
    }
}

/// A text that the owner wants the watch face to show from `start` to `end`.
package struct ComplicationNote: Equatable, Sendable {
    /// The note's number, starting at 1.
    package var number: Int64
    /// The text, at most `ItemTitle.capacity` bytes.
    package var text: String
    /// When the watch begins to show the note, in local seconds since 1970.
    package var start: UInt32
    /// When the watch stops showing the note, in local seconds since 1970; nil for never.
    package var end: UInt32?
    /// How important the note is. If this is above 100 (`ComplicationEntry.listRelevance`), the face shows the note
    /// instead of the list.
    package var relevance: UInt8

    package init(number: Int64, text: String, start: UInt32, end: UInt32?, relevance: UInt8) {
        self.number = number
        self.text = text
        self.start = start
        self.end = end
        self.relevance = relevance
    }

    var span: ComplicationSpan {
        ComplicationSpan(.note(number), from: start, to: end, .text, text: text, relevance: relevance)
    }
}
