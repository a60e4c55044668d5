import WatchLink

/// The rows that a watch has, or will have when it has applied the messages in its queue.
package enum FeedProjection: Equatable, Sendable {
    /// The watch is new, has lost its list, or has rejected a change.
    case nothing
    /// The rows in order, and the number of open items beyond them. The watch may have removed the stale rows itself, so the
    /// phone sends them again.
    case rows([FeedRow], more: UInt32, stale: Set<UInt32> = [])

    /// nil if the rows are unknown, or some are stale.
    var check: RowsCheck? {
        switch self {
        case .nothing: nil
        case .rows(let rows, let more, let stale): stale.isEmpty ? RowsCheck(rows, more: more) : nil
        }
    }

    /// Notes that the watch has checked this item off, and has removed its row.
    package mutating func checkOffArrived(of item: UInt32) {
        guard case .rows(let rows, let more, var stale) = self, rows.contains(where: { $0.id == item }) else { return }
        stale.insert(item)
        self = .rows(rows, more: more, stale: stale)
    }

    /// Notes that the watch has added this item to its list.
    package mutating func additionArrived(of row: FeedRow) {
        guard case .rows(var rows, let more, var stale) = self else { return }
        if !rows.contains(where: { $0.id == row.id }) {
            let place = rows.firstIndex { ($0.rank, $0.id) > (row.rank, row.id) } ?? rows.endIndex
            rows.insert(row, at: place)
        }
        stale.insert(row.id)
        self = .rows(rows, more: more, stale: stale)
    }

    /// Whether a watch that rejects the message of this name needs the whole list again.
    package static func isLost(rejecting name: String) -> Bool {
        name == ApplicationMessage.list.text
    }

    package mutating func apply(_ batch: FeedBatch) {
        switch batch.rows {
        case .beyond: return
        case .given: break
        }
        var (rows, stale): ([FeedRow], Set<UInt32>) =
            switch self {
            case .nothing: ([], [])
            case .rows(let rows, _, let stale): (rows, stale)
            }
        for change in batch.changes {
            switch change {
            case .clear: (rows, stale) = ([], [])
            case .remove(let id):
                rows.removeAll { $0.id == id }
                stale.remove(id)
            case .put(let id, let rank, let title):
                rows.removeAll { $0.id == id }
                stale.remove(id)
                let place = rows.firstIndex { ($0.rank, $0.id) > (rank, id) } ?? rows.endIndex
                rows.insert(FeedRow(id: id, rank: rank, title: title), at: place)
            }
        }
        self = .rows(rows, more: batch.more, stale: stale)
    }
}
