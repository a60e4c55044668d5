import WatchLink

/// What the latest values are made from: the list's name, what is next, and when something last happened.
package struct LatestFeed: Equatable, Sendable {
    /// The name of the active list.
    package var listName: String
    /// How many of its items are open.
    package var remaining: UInt32
    /// The whole title of the first open item.
    package var next: String?
    /// When the list last changed, in local seconds since 1970.
    package var changed: UInt32
    /// When an item was last checked off, in local seconds since 1970; nil for never.
    package var lastTrip: UInt32?

    package init(listName: String, remaining: UInt32, next: String?, changed: UInt32, lastTrip: UInt32?) {
        self.listName = listName
        self.remaining = remaining
        self.next = next
        self.changed = changed
        self.lastTrip = lastTrip
    }

    /// The title and the complication's time line. A host publishes those that differ from what it published before, in
    /// this order.
    package func messages() throws(CBORError) -> [FeedMessage] {
        let name = ItemTitle(cutting: listName)
        let title = try FeedMessage(.title, size: 16 + name.count) { writer throws(CBORError) in
            try TitleMessage(listName: name, lastTrip: lastTrip).encode(into: &writer)
        }
        let timeline = ComplicationFeed(remaining: remaining, next: next, changed: changed, lastTrip: lastTrip)
        return [title, try timeline.message()]
    }
}
