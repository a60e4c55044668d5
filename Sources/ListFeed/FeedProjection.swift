import WatchLink

/// The rows that a watch has, or will have once it has applied the messages in its queue.
package enum FeedProjection: Equatable, Sendable {
    /// Nothing is known: the watch is new, has lost its list, or has rejected a change of it.
    case nothing
    /// These rows in order, and the number of open items beyond them.
    case rows([FeedRow], more: UInt32)

    /// Whether a watch that rejects the message of this name needs the whole list again.
    package static func isLost(rejecting name: String) -> Bool {
        name == ApplicationMessage.list.text
    }

    /// The rows after `batch`.
    package mutating func apply(_ batch: FeedBatch) {
        switch batch.rows {
        case .beyond: return
        case .given: break
        }
        var rows: [FeedRow] =
            switch self {
            case .nothing: []
            case .rows(let rows, _): rows
            }
        for change in batch.changes {
            switch change {
            case .clear: rows = []
            case .remove(let id): rows.removeAll { $0.id == id }
            case .put(let id, let rank, let title):
                rows.removeAll { $0.id == id }
                let place = rows.firstIndex { ($0.rank, $0.id) > (rank, id) } ?? rows.endIndex
                rows.insert(FeedRow(id: id, rank: rank, title: title), at: place)
            }
        }
        self = .rows(rows, more: batch.more)
    }
}
