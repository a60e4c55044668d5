import WatchLink

package struct FeedBatch: Equatable, Sendable {
    /// The changes, in the order in which the watch makes them.
    package let changes: [ListChange]
    /// How many open items there are beyond the rows that the watch has after this batch.
    package var more: UInt32
    /// The token of the reload that the batch completes.
    package var reloadToken: UInt32?
    /// Whose rows the changes are about.
    package let rows: ListMessage.Rows

    package init(
        changes: [ListChange], more: UInt32, reloadToken: UInt32? = nil, rows: ListMessage.Rows = .given
    ) {
        self.changes = changes
        self.more = more
        self.reloadToken = reloadToken
        self.rows = rows
    }

    /// - Parameter applied: the last queued message of the watch that was applied when the batch was made.
    package func message(applied: UInt32 = 0) throws(CBORError) -> FeedMessage {
        let size = ListMessage.overhead + changes.reduce(0) { $0 + $1.encodedSize }
        let message = ListMessage(
            more: more, changeCount: UInt32(changes.count), reloadToken: reloadToken, rows: rows,
            applied: applied)
        return try FeedMessage(.list, size: size) { writer throws(CBORError) in
            try message.encodeHead(into: &writer)
            for change in changes { try change.encode(into: &writer) }
            try message.encodeTail(into: &writer)
        }
    }
}
