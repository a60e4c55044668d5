import WatchLink

/// A row of the list as a watch stores it.
package struct FeedRow: Equatable, Sendable {
    package var id: UInt32
    /// Rows are in order of rank, then of ID.
    package var rank: UInt32
    /// As much of the title as a watch stores.
    package var title: ItemTitle

    package init(id: UInt32, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
    }

    var put: ListChange { .put(id: id, rank: rank, title: title) }
}

/// The part of the list that a watch stores.
package struct FeedWindow: Equatable, Sendable {
    /// The most rows that a watch stores.
    package static let capacity = 128

    /// The first open items in order, at most `capacity`.
    package var rows: [FeedRow]
    /// The number of open items, including `rows`.
    package var total: UInt32

    package init(rows: [FeedRow], total: UInt32) {
        self.rows = rows
        self.total = total
    }

    /// The number of open items after `rows`.
    var more: UInt32 { total - min(total, UInt32(rows.count)) }
}
