import WatchLink

/// The rows that a watch has, or will have when it has applied the messages in its queue.
package enum FeedProjection: Equatable, Sendable {
    /// The phone does not know the rows: the watch is new, has lost its list, or has rejected a change.
    case nothing
    /// The rows in order, and the number of open items that the watch does not store. The watch itself may have removed
    /// or added the `stale` rows, so the phone sends those again.
    case rows([FeedRow], more: UInt32, stale: Set<UInt32> = [])

    /// The checksum that the watch should report; nil if the rows are unknown, or if some are stale.
    var check: RowsCheck? {
        switch self {
        case .nothing: nil
        case .rows(let rows, let more, let stale): stale.isEmpty ? RowsCheck(rows, more: more) : nil
        }
    }

    /// Marks a row as stale, because the watch has checked the item off and removed the row.
    package mutating func checkOffArrived(of item: UInt32) {
        guard case .rows(let rows, let more, var stale) = self, rows.contains(where: { $0.id == item }) else { return }
        stale.insert(item)
        self = .rows(rows, more: more, stale: stale)
    }

    /// Adds a stale row, because the watch has added this item to its own list.
    package mutating func additionArrived(of row: FeedRow) {
        guard case .rows(var rows, let more, var stale) = self else { return }
        if !rows.contains(where: { $0.id == row.id }) {
            let place = rows.firstIndex { ($0.rank, $0.id) > (row.rank, row.id) } ?? rows.endIndex
            rows.insert(row, at: place)
        }
        stale.insert(row.id)
        self = .rows(rows, more: more, stale: stale)
    }

    /// Whether a watch needs its whole list again if it rejects the message with this name.
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
