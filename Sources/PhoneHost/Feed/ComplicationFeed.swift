import WatchLink

/// The time line that a watch's complication shows: what is next while there is a list, else how long ago the last trip was.
struct ComplicationFeed: Equatable {
    /// The entries, in ascending order of their dates; none where there is nothing to say, so that the watch shows the date.
    var entries: [ComplicationEntry]

    /// The time line of a list.
    ///
    /// - Parameters:
    ///   - remaining: how many items are still to be got.
    ///   - next: the title of the first of them.
    ///   - changed: when the list last changed, in local seconds since 1970.
    ///   - lastTrip: when the last item was checked off, in local seconds since 1970; 0 for never.
    init(remaining: UInt32, next: String?, changed: UInt32, lastTrip: UInt32) {
        if remaining > 0 {
            entries = [
                ComplicationEntry(
                    date: changed, content: .items, remaining: remaining, text: ItemTitle(cutting: next ?? ""))
            ]
        } else if lastTrip > 0 {
            entries = ComplicationFeed.ages.map { age in
                ComplicationEntry(
                    date: lastTrip &+ min(age.seconds, .max - lastTrip), content: .text, remaining: 0,
                    text: ItemTitle(cutting: age.text))
            }
        } else {
            entries = []
        }
    }

    /// What is said of a trip from so many seconds after it on. As many as a time line holds, and close together at first.
    private static let ages: [(seconds: UInt32, text: String)] = [
        (0, "Trip just now"), (600, "Trip 10 min ago"), (1_800, "Trip 30 min ago"), (3_600, "Trip 1 h ago"),
        (7_200, "Trip 2 h ago"), (14_400, "Trip 4 h ago"), (28_800, "Trip 8 h ago"), (43_200, "Trip 12 h ago"),
        (86_400, "Trip 1 day ago"), (172_800, "Trip 2 days ago"), (259_200, "Trip 3 days ago"),
        (345_600, "Trip 4 days ago"), (604_800, "Trip 1 week ago"), (1_209_600, "Trip 2 weeks ago"),
        (2_419_200, "Trip 4 weeks ago"),
    ]
}
