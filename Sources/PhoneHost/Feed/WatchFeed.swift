import WatchLink

/// Works out what a watch has to be told so that it has what it is to have.
enum WatchFeed {
    /// The changes of one message.
    struct Batch: Equatable {
        /// The changes, in the order in which they are to be made.
        var changes: [ListChange]
        /// How many open items there are beyond the rows that the watch has after this batch.
        var more: UInt32
        /// The token of the reload that the batch completes.
        var reloadToken: UInt32?
        /// Whose rows the changes are about.
        var rows = ListMessage.Rows.given
    }

    /// The messages that turn `projection` into `window`; none where nothing has changed.
    ///
    /// Rows go before others come, so a watch never has more than it has room for, and what is first in the list comes first.
    ///
    /// - Parameters:
    ///   - largestBody: the most bytes of a message that the watch takes, its name included. A batch always has a change,
    ///     even where that is more.
    ///   - reloadToken: the token of a reload that this answers, which begins with a clear and is never nothing.
    ///   - beyond: the rows behind those of the window, where the reload asks for every row. They go by and change nothing.
    static func batches(
        from projection: WatchProjection, to window: WatchWindow, largestBody: Int, reloadToken: UInt32? = nil,
        beyond: [FeedRow] = []
    ) -> [Batch] {
        var batches = batches(from: projection, to: window, largestBody: largestBody, isReload: reloadToken != nil)
        batches += divided(beyond.map(put), largestBody: largestBody).map {
            Batch(changes: $0, more: window.total - UInt32(window.rows.count), rows: .beyond)
        }
        if !batches.isEmpty { batches[batches.count - 1].reloadToken = reloadToken }
        return batches
    }

    private static func batches(
        from projection: WatchProjection, to window: WatchWindow, largestBody: Int, isReload: Bool
    ) -> [Batch] {
        var (changes, known): ([ListChange], Set<UInt32>) = ([.clear] + window.rows.map(put), [])
        var lastMore: UInt32?
        if case .rows(let given, let more) = projection, !isReload {
            (changes, known, lastMore) = (self.changes(from: given, to: window.rows), Set(given.map(\.id)), more)
        }
        let more = window.total - UInt32(window.rows.count)
        var batches = divided(changes, largestBody: largestBody).map { changes in
            for change in changes {
                switch change {
                case .clear: break
                case .put(let id, _, _): known.insert(id)
                case .remove(let id): known.remove(id)
                }
            }
            return Batch(changes: changes, more: window.total - min(window.total, UInt32(known.count)))
        }
        if batches.isEmpty, lastMore != more { batches = [Batch(changes: [], more: more)] }
        if !batches.isEmpty { batches[batches.count - 1].more = more }
        return batches
    }

    /// The changes in as many parts as there have to be messages.
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

    private static func put(_ row: FeedRow) -> ListChange {
        .put(id: row.id, rank: row.rank, title: row.title)
    }

    /// First what goes, then what comes or is different now.
    private static func changes(from given: [FeedRow], to wanted: [FeedRow]) -> [ListChange] {
        let before = Dictionary(given.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(wanted.map(\.id))
        return given.filter { !after.contains($0.id) }.map { .remove(id: $0.id) }
            + wanted.filter { before[$0.id] != $0 }.map(put)
    }
}
