import WatchLink

/// The rows that a watch will have once it has applied every message that the phone has queued for it.
package enum FeedProjection: Equatable, Sendable {
    /// The phone does not know which rows the watch has, so the phone next sends the whole list. This is the case if the
    /// watch is new, has lost its list, has rejected a change, or has reported a wrong checksum.
    case nothing
    /// The rows in order of rank, then of ID. The number of open items that the watch does not store is `more`. The set `stale`
    /// has the IDs of rows that the watch may have removed or added by itself. The phone sends a put or a removal for each of
    /// these.
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

    /// Inserts the row if it is missing, and marks it as stale, because the watch itself has added this item.
    package mutating func additionArrived(of row: FeedRow) {
        guard case .rows(var rows, let more, var stale) = self else { return }
        if !rows.contains(where: { $0.id == row.id }) {
            let place = rows.firstIndex { ($0.rank, $0.id) > (row.rank, row.id) } ?? rows.endIndex
            rows.insert(row, at: place)
        }
        stale.insert(row.id)
        self = .rows(rows, more: more, stale: stale)
    }

    /// Whether a watch that rejects a message with this name needs its whole list again.
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

extension FeedProjection {
    /// The encoding for the database; nil for `.nothing`. First comes `more`, then for each row its ID, rank, flags, title length
    /// and title. Flags and length take a byte each, and the other numbers are big-endian words of 32 bits. Flag 1 means that
    /// the title is cut, and flag 2 that the row is stale.
    package var bytes: [UInt8]? {
        guard case .rows(let rows, let more, let stale) = self else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + rows.count * (10 + ItemTitle.capacity))
        func append(_ word: UInt32) {
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        append(more)
        for row in rows {
            append(row.id)
            append(row.rank)
            bytes.append(row.title.completeness.rawValue | (stale.contains(row.id) ? 2 : 0))
            bytes.append(UInt8(row.title.count))
            let title = row.title.utf8
            for index in title.indices { bytes.append(title[index]) }
        }
        return bytes
    }

    /// Decodes what the property `bytes` encodes. Invalid bytes give `.nothing`, so the watch gets its whole list.
    package init(bytes: [UInt8]) {
        self = FeedProjection.decoded(bytes) ?? .nothing
    }

    private static func decoded(_ bytes: [UInt8]) -> FeedProjection? {
        func word(at place: Int) -> UInt32 {
            (place..<place + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
        }
        guard bytes.count >= 4 else { return nil }
        var (rows, stale): ([FeedRow], Set<UInt32>) = ([], [])
        var place = 4
        while place < bytes.count {
            guard bytes.count - place >= 10 else { return nil }
            let (id, rank, marks) = (word(at: place), word(at: place + 4), bytes[place + 8])
            let title = place + 10..<place + 10 + Int(bytes[place + 9])
            guard id > 0, title.upperBound <= bytes.count,
                let completeness = ItemTitle.Completeness(rawValue: marks & 1)
            else { return nil }
            if marks & 2 != 0 { stale.insert(id) }
            rows.append(
                FeedRow(
                    id: id, rank: rank,
                    title: ItemTitle(utf8: bytes.span.extracting(title), completeness: completeness)))
            place = title.upperBound
        }
        return .rows(rows, more: word(at: 0), stale: stale)
    }
}
