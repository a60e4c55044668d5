import WatchLink

/// Finds the changes that bring a watch's rows up to date.
package enum WatchFeed {
    /// Makes the messages that turn the watch's rows into those of `window`; none if the watch already has these rows.
    ///
    /// Removals come first, so the watch never needs room for more than `FeedWindow.capacity` rows. Additions are in the order
    /// of the list.
    ///
    /// - Parameters:
    ///   - projection: the rows that the watch has, or will have when it has applied its queue.
    ///   - largestBody: the maximum size in bytes of a message's name and payload that the watch accepts. A change that is too
    ///     large for this limit still becomes a batch of its own.
    ///   - reloadToken: the token of the watch's request for its whole list; nil if no request waits. The answer begins with a
    ///     `clear` change, so the answer is never empty. The last message of the answer has the token.
    ///   - beyond: the open items after the window if the watch has asked for every row; otherwise empty. The watch does not
    ///     store these rows.
    package static func batches(
        from projection: FeedProjection, to window: FeedWindow, largestBody: Int, reloadToken: UInt32? = nil,
        beyond: [FeedRow] = []
    ) -> [FeedBatch] {
        var batches = batches(from: projection, to: window, largestBody: largestBody, isReload: reloadToken != nil)
        batches += divided(beyond.map(\.put), largestBody: largestBody).map {
            FeedBatch(changes: $0, more: window.more, rows: .beyond)
        }
        if !batches.isEmpty { batches[batches.count - 1].reloadToken = reloadToken }
        return batches
    }

    private static func batches(
        from projection: FeedProjection, to window: FeedWindow, largestBody: Int, isReload: Bool
    ) -> [FeedBatch] {
        var (changes, known): ([ListChange], Set<UInt32>) = ([.clear] + window.rows.map(\.put), [])
        var lastMore: UInt32?
        if case .rows(let given, let more, let stale) = projection, !isReload {
            changes = self.changes(from: given, stale: stale, to: window.rows)
            (known, lastMore) = (Set(given.map(\.id)), more)
        }
        let more = window.more
        var batches = divided(changes, largestBody: largestBody).map { changes in
            for change in changes {
                switch change {
                case .clear: break
                case .put(let id, _, _): known.insert(id)
                case .remove(let id): known.remove(id)
                }
            }
            return FeedBatch(changes: changes, more: window.total - min(window.total, UInt32(known.count)))
        }
        if batches.isEmpty, lastMore != more { batches = [FeedBatch(changes: [], more: more)] }
        if !batches.isEmpty { batches[batches.count - 1].more = more }
        return batches
    }

    private static func divided(_ changes: [ListChange], largestBody: Int) -> [[ListChange]] {
        var parts: [[ListChange]] = []
        var room = 0
        for change in changes {
            if parts.isEmpty || change.encodedSize > room {
                parts.append([])
                room = largestBody - ListMessage.overhead
            }
            parts[parts.count - 1].append(change)
            room -= change.encodedSize
        }
        return parts
    }

    /// Lists the changes that turn `given` into `wanted`: first the removals, then the rows that are new, changed or stale.
    private static func changes(
        from given: [FeedRow], stale: Set<UInt32>, to wanted: [FeedRow]
    ) -> [ListChange] {
        let unchanged = given.filter { !stale.contains($0.id) }
        let before = Dictionary(unchanged.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(wanted.map(\.id))
        return given.filter { !after.contains($0.id) }.map { .remove(id: $0.id) }
            + wanted.filter { before[$0.id] != $0 }.map(\.put)
    }
}
