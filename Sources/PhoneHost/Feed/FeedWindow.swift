import WatchLink

/// A row of the list as a watch stores it.
package struct FeedRow: Equatable, Sendable {
    package var id: UInt32
    /// The sort key: rows are in order of rank, then of ID.
    package var rank: UInt32
    /// The item's title, with its amount and note if it has any, cut to `ItemTitle.capacity` bytes.
    package var title: ItemTitle

    package init(id: UInt32, rank: UInt32, title: ItemTitle) {
        self.id = id
        self.rank = rank
        self.title = title
    }

    var put: ListChange { .put(id: id, rank: rank, title: title) }
}

/// The part of a list that a watch stores: the first open items.
package struct FeedWindow: Equatable, Sendable {
    /// The maximum number of rows that the phone lets a watch store.
    package static let capacity = 128

    /// The first open items in order, at most `capacity`.
    package var rows: [FeedRow]
    /// The number of all open items, including `rows`.
    package var total: UInt32

    package init(rows: [FeedRow], total: UInt32) {
        self.rows = rows
        self.total = total
    }

    /// The number of open items that the watch does not store.
    var more: UInt32 { total - min(total, UInt32(rows.count)) }
}

extension ItemTitle {
    /// Cuts a title between two characters if it is too long, and marks it as cut. If the first character alone is too
    /// long, cuts inside that character, between two Unicode scalars. `capacity` is in bytes, at most 48.
    package init(cutting text: String, to capacity: Int = ItemTitle.capacity) {
        guard text.utf8.count > capacity else {
            self.init(utf8: Array(text.utf8).span)
            return
        }
        var end = text.startIndex
        var count = text[end].utf8.count
        while count <= capacity {
            text.formIndex(after: &end)
            count += text[end].utf8.count
        }
        let fitting = Array((end == text.startIndex ? text[...end] : text[..<end]).utf8)
        let bytes = fitting.span
        self.init(utf8: bytes.extracting(first: bytes.scalarBoundary(upTo: capacity)), completeness: .cut)
    }

    package var text: String {
        utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
