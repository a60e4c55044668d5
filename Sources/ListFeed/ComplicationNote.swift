import WatchLink

/// A text that the owner wants to see on the watch's face for a time.
package struct ComplicationNote: Equatable, Sendable {
    /// Unique ID, starting at 1.
    package var number: Int64
    /// At most `ItemTitle.capacity` bytes.
    package var text: String
    /// When the watch begins to show it, in local seconds since 1970.
    package var start: UInt32
    /// When the watch stops showing it, in local seconds since 1970; nil for never.
    package var end: UInt32?
    /// A note above 100 replaces the list on the face.
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
