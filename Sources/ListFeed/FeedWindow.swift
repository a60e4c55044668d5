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
