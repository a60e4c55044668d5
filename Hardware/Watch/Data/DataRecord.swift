import WatchLink

/// A record of the journal that says something of the watch's data.
enum DataRecord: BitwiseCopyable {
    /// Which watch this is.
    case identity
    /// Where the streams of messages stand.
    case positions
    /// A message to the phone.
    case message(OutboxMessage, sequence: UInt32)
    /// A message of the phone's as it came: the payload.
    case received(FeedName, sequence: UInt32, FixedArray<UInt8>)
    /// The order of at most 64 rows, from this one on. Nobody reads it.
    case order(from: Int)
    /// An item that leaves the order. Nobody reads it.
    case orderChange(ItemID)

    /// The kind of record in flash.
    var kind: RecordKind {
        switch self {
        case .identity: .identity
        case .positions: .positions
        case .message(.checkOff, _): .checkOff
        case .message(.reload, _): .reloadRequest
        case .received(let name, _, _): name.recordKind
        case .order, .orderChange: .sortingOrder
        }
    }
}

extension WatchData {
    /// Writes what a record holds: at most `WatchLimits.largestSDU` bytes.
    func write(_ record: DataRecord, _ writer: inout CBORWriter) throws(CBORError) {
        switch record {
        case .identity: try writeIdentity(&writer)
        case .positions: try writePositions(&writer)
        case .message(let message, let sequence): try write(message, sequence: sequence, &writer)
        case .received(_, let sequence, let payload):
            try writeHead(sequence: sequence, &writer)
            try writer.raw(payload.span)
        case .order(let first): try writeOrder(from: first, &writer)
        case .orderChange(let item): try writer.unsigned(item.rawValue)
        }
    }

    /// The row after those that a record of the order from `first` on holds.
    func endOfOrder(from first: Int) -> Int { min(first + 64, items.count) }

    private func writeOrder(from first: Int, _ writer: inout CBORWriter) throws(CBORError) {
        var row = first
        while row < endOfOrder(from: first) {
            try writer.unsigned(items[row].id.rawValue)
            row += 1
        }
    }
}
