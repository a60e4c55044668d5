import WatchLink

/// A row of the list as a watch keeps it.
package struct FeedRow: Equatable, Sendable {
    /// The item's number.
    package var id: UInt32
    /// Its place: rows are in the order of rank, then of number.
    package var rank: UInt32
    /// As much of its title as a watch keeps.
    package var title: ItemTitle

    package init(id: UInt32, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
    }

    /// The change that gives a watch this row.
    var put: ListChange { .put(id: id, rank: rank, title: title) }
}
