import WatchLink

package struct FeedBatch: Equatable, Sendable {
    /// The changes, in the order in which the watch applies them.
    package let changes: [ListChange]
    /// The number of open items that the watch does not store once it has applied this batch.
    package var more: UInt32
    /// The token of the reload that this batch completes; nil if it completes none. A reload is a watch's request for its whole
    /// list.
    package var reloadToken: UInt32?
    package let rows: ListMessage.Rows

    package init(
        changes: [ListChange], more: UInt32, reloadToken: UInt32? = nil, rows: ListMessage.Rows = .given
    ) {
        self.changes = changes
        self.more = more
        self.reloadToken = reloadToken
        self.rows = rows
    }

    /// Encodes the batch for the watch.
    ///
    /// - Parameter applied: the number of the watch's last queued message that the phone had applied when the batch was
    ///   made; 0 if there is none.
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
