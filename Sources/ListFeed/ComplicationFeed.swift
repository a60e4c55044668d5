import WatchLink

/// The time line of a watch's complication: the next item while any is open, else how long ago the last trip was.
package struct ComplicationFeed: Equatable, Sendable {
    /// The entries, in ascending order of their dates; none before the first trip of an empty list, so the watch shows
    /// the date.
    let entries: [ComplicationEntry]

    package init(entries: [ComplicationEntry]) {
        self.entries = entries
    }

    init(_ feed: LatestFeed) {
        if feed.remaining > 0 {
            entries = [
                ComplicationEntry(
                    date: feed.changed, content: .items(remaining: feed.remaining),
                    text: ItemTitle(cutting: feed.next ?? ""))
            ]
        } else if let lastTrip = feed.lastTrip {
            entries = ComplicationFeed.ages.map { age in
                ComplicationEntry(
                    date: lastTrip &+ min(age.seconds, .max - lastTrip), content: .text,
                    text: ItemTitle(cutting: age.text))
            }
        } else {
            entries = []
        }
    }

    /// The text about a trip from this many seconds after it on: at most `ComplicationMessage.mostEntries`, close
    /// together at first.
    private static let ages: [(seconds: UInt32, text: String)] = [
        (0, "Trip just now"), (600, "Trip 10 min ago"), (1_800, "Trip 30 min ago"), (3_600, "Trip 1 h ago"),
        (7_200, "Trip 2 h ago"), (14_400, "Trip 4 h ago"), (28_800, "Trip 8 h ago"), (43_200, "Trip 12 h ago"),
        (86_400, "Trip 1 day ago"), (172_800, "Trip 2 days ago"), (259_200, "Trip 3 days ago"),
        (345_600, "Trip 4 days ago"), (604_800, "Trip 1 week ago"), (1_209_600, "Trip 2 weeks ago"),
        (2_419_200, "Trip 4 weeks ago"),
    ]

    package func message() throws(CBORError) -> FeedMessage {
        let size = ComplicationMessage.overhead + entries.reduce(0) { $0 + $1.encodedSize }
        return try FeedMessage(.complication, size: size) { writer throws(CBORError) in
            try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
            for entry in entries { try entry.encode(into: &writer) }
        }
    }
}
