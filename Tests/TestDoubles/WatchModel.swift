import PhoneHost
import WatchLink

/// A minimal model of the list on a watch. It applies changes, and does nothing else.
package struct WatchModel: Equatable, Sendable {
    package private(set) var rows: [FeedRow] = []
    package private(set) var more: UInt32 = 0
    package private(set) var reloadTokens: [UInt32] = []
    package private(set) var mostRows = 0
    package private(set) var clears = 0
    /// Rows that the watch reads but does not store. The phone sends them if the watch asks for every row.
    package private(set) var beyond: [FeedRow] = []

    package init() {}

    package var titles: [String] { rows.map(\.title.text) }

    package mutating func apply(_ change: ListChange) {
        switch change {
        case .clear:
            rows = []
            clears += 1
        case .remove(let id): rows.removeAll { $0.id == id }
        case .put(let id, let rank, let title):
            rows.removeAll { $0.id == id }
            rows.append(FeedRow(id: id, rank: rank, title: title))
            rows.sort { ($0.rank, $0.id) < ($1.rank, $1.id) }
        }
        mostRows = max(mostRows, rows.count)
    }

    package mutating func apply(_ batch: FeedBatch) {
        for change in batch.changes { apply(change) }
        more = batch.more
    }

    package mutating func apply(payload: [UInt8]) throws(CBORError) {
        var reader = try ListMessageReader(CBORReader(payload.span))
        switch reader.message.rows {
        case .given:
            while let change = reader.next() { apply(change) }
            more = reader.message.more
        case .beyond:
            while case .put(let id, let rank, let title)? = reader.next() {
                beyond.append(FeedRow(id: id, rank: rank, title: title))
            }
        }
        if let token = reader.message.reloadToken { reloadTokens.append(token) }
    }

    package mutating func remove(_ id: UInt32) {
        rows.removeAll { $0.id == id }
    }
}
