import WatchLink

/// The past items that a watch offers to add back, likeliest first. Each has the ID that is reserved for it and its future rank.
package struct PastFeed: Equatable, Sendable {
    package let rows: [FeedRow]

    /// - Parameter rows: likeliest first; those that do not fit are left out.
    package init(_ rows: [FeedRow]) {
        var size = ListMessage.overhead
        self.rows = Array(
            rows.prefix(AddMessage.mostPastItems).prefix { row in
                size += row.put.encodedSize
                return size <= PastFeed.largestBody
            })
    }

    /// Reads a published payload. Empty if the payload cannot be read.
    package init(payload: [UInt8]) {
        var rows: [FeedRow] = []
        if var reader = try? ListMessageReader(CBORReader(payload.span)) {
            while let change = reader.next() {
                guard case .put(let id, let rank, let title) = change else { continue }
                rows.append(FeedRow(id: id, rank: rank, title: title))
            }
        }
        self.rows = rows
    }

    /// The largest body in bytes: a watch's largest datagram of 512 bytes, less the header of a message.
    package static let largestBody = 506

    package func message() throws(CBORError) -> FeedMessage {
        let size = ListMessage.overhead + rows.reduce(0) { $0 + $1.put.encodedSize }
        let message = ListMessage(more: 0, changeCount: UInt32(rows.count))
        return try FeedMessage(.past, size: size) { writer throws(CBORError) in
            try message.encodeHead(into: &writer)
            for row in rows { try row.put.encode(into: &writer) }
            try message.encodeTail(into: &writer)
        }
    }
}
