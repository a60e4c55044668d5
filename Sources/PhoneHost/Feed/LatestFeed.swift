import WatchLink

/// The facts from which the phone makes its `title` and `complication` messages for the watches.
package struct LatestFeed: Equatable, Sendable {
    package var listName: String
    package var remaining: UInt32
    /// The uncut title of the first open item; nil if no item is open.
    package var next: String?
    /// When the list last changed, in local seconds since 1970.
    package var changed: UInt32
    /// When an item was last checked off, in local seconds since 1970; nil for never.
    package var lastTrip: UInt32?
    package var usualTrips: UsualTrips
    package var notes: [ComplicationNote]

    package init(
        listName: String, remaining: UInt32, next: String?, changed: UInt32, lastTrip: UInt32?,
        usualTrips: UsualTrips = UsualTrips(), notes: [ComplicationNote] = []
    ) {
        self.listName = listName
        self.remaining = remaining
        self.next = next
        self.changed = changed
        self.lastTrip = lastTrip
        self.usualTrips = usualTrips
        self.notes = notes
    }

    /// Encodes a `title` message, and a `complication` message whose time line begins when the list last changed.
    package func messages() throws(CBORError) -> [FeedMessage] {
        [try title(), try ComplicationFeed(self).message()]
    }

    package func title() throws(CBORError) -> FeedMessage {
        // The message has no mark for a cut name, so the phone writes the ellipsis.
        let fits = listName.utf8.count <= ItemTitle.capacity
        let ellipsis = "…"
        let start = ItemTitle(cutting: listName, to: ItemTitle.capacity - ellipsis.utf8.count)
        let name = ItemTitle(cutting: fits ? listName : start.text + ellipsis)
        return try FeedMessage(.title, size: 16 + name.count) { writer throws(CBORError) in
            try TitleMessage(listName: name, lastTrip: lastTrip).encode(into: &writer)
        }
    }
}
