import WatchLink

/// The time line of the watch face's complication. The watch shows one entry after another, each from its date on. The
/// entries come from the list, the owner's shopping trips and the owner's notes.
package struct ComplicationFeed: Equatable, Sendable {
    /// The entries in ascending order of date.
    let entries: [ComplicationEntry]

    /// The relevance, from 0 to 255, of the texts that tell how long ago the last trip was. The open items have
    /// `ComplicationEntry.listRelevance`, 100.
    static let lastTripRelevance: UInt8 = 10
    static let usualTripRelevance: UInt8 = 30
    package static let noteRelevance: UInt8 = 150

    package init(entries: [ComplicationEntry]) {
        self.entries = entries
    }

    /// Creates the time line that begins when the list last changed.
    init(_ feed: LatestFeed) {
        self.init(entries: ComplicationTimeline(feed.plan(from: feed.changed).entries).entries)
    }

    package init(_ timeline: ComplicationTimeline) {
        self.init(entries: timeline.entries)
    }

    package func message() throws(CBORError) -> FeedMessage {
        let size = ComplicationMessage.overhead + entries.reduce(0) { $0 + $1.encodedSize }
        return try FeedMessage(.complication, size: size) { writer throws(CBORError) in
            try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
            for entry in entries { try entry.encode(into: &writer) }
        }
    }

    /// Returns a push: a message without entries. Until the daily budget of pushes is used up, a push makes the face show
    /// the watch's newest values at once.
    package static func push() throws(CBORError) -> FeedMessage {
        try ComplicationFeed(entries: []).message()
    }
}

extension LatestFeed {
    /// Plans what the complication shows from `now` on.
    ///
    /// - Parameter now: when the plan begins, in local seconds since 1970.
    package func plan(from now: UInt32) -> ComplicationPlan {
        let list = remaining > 0 ? [listSpan] : ageSpans
        return ComplicationPlan(
            list + usualTrips.spans(from: now, lastTrip: lastTrip) + notes.map(\.span), from: now)
    }

    private var listSpan: ComplicationSpan {
        ComplicationSpan(
            .list, from: changed, to: nil, .items(remaining: remaining), text: next ?? "",
            relevance: ComplicationEntry.listRelevance)
    }

    /// The spans that tell how long ago the last trip was. No span has an end, because each span replaces the previous span.
    private var ageSpans: [ComplicationSpan] {
        guard let lastTrip else { return [] }
        return LatestFeed.ages.map { age in
            ComplicationSpan(
                .lastTrip, from: lastTrip &+ min(age.seconds, .max - lastTrip), to: nil, .text, text: age.text,
                relevance: ComplicationFeed.lastTripRelevance)
        }
    }

    /// The texts that tell a trip's age. Each replaces the previous one when `seconds` have passed since the trip.
    /// There are fewer texts than `ComplicationMessage.mostEntries`.
    private static let ages: [(seconds: UInt32, text: String)] = [
        (0, "Trip just now"), (600, "Trip 10 min ago"), (1_800, "Trip 30 min ago"), (3_600, "Trip 1 h ago"),
        (7_200, "Trip 2 h ago"), (14_400, "Trip 4 h ago"), (28_800, "Trip 8 h ago"), (43_200, "Trip 12 h ago"),
        (86_400, "Trip 1 day ago"), (172_800, "Trip 2 days ago"), (259_200, "Trip 3 days ago"),
        (345_600, "Trip 4 days ago"), (604_800, "Trip 1 week ago"), (1_209_600, "Trip 2 weeks ago"),
        (2_419_200, "Trip 4 weeks ago"),
    ]
}
