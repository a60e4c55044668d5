import WatchLink

/// A row of the list as a watch keeps it.
package struct FeedRow: Equatable, Sendable {
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

    var put: ListChange { .put(id: id, rank: rank, title: title) }
}

/// The part of the list that a watch keeps: the first open items, and how many open items there are.
package struct FeedWindow: Equatable, Sendable {
    /// The most rows that a watch keeps.
    package static let capacity = 128

    /// The first open items in order, at most `capacity`.
    package var rows: [FeedRow]
    /// How many open items the list has, the rows included.
    package var total: UInt32

    package init(rows: [FeedRow], total: UInt32) {
        self.rows = rows
        self.total = total
    }

    /// How many open items come behind the rows.
    var more: UInt32 { total - min(total, UInt32(rows.count)) }
}
