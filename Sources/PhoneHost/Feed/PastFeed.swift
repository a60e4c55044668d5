import WatchLink

/// The items of earlier trips that a watch offers to add again. The item that the owner will most likely buy comes first. Each
/// item already has the ID and the rank that it will have if the wearer adds it.
package struct PastFeed: Equatable, Sendable {
    package let rows: [FeedRow]

    /// - Parameter rows: the items, likeliest first. If they do not all fit into one message, the last ones are left out.
    package init(_ rows: [FeedRow]) {
        var size = ListMessage.overhead
        self.rows = Array(
            rows.prefix(AddMessage.mostPastItems).prefix { row in
                size += row.put.encodedSize
                return size <= PastFeed.largestBody
            })
    }

    /// Decodes the payload of a `past` message. If the payload is invalid, `rows` is empty.
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

    /// The maximum size of the message's body in bytes. A watch accepts datagrams of at most 512 bytes, and the header takes 6.
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
