import WatchLink

enum Payload {
    static func list(_ changes: [ListChange], more: UInt32 = 0, reload: UInt32? = nil, applied: UInt32 = 0) throws
        -> [UInt8]
    {
        let message = ListMessage(
            more: more, changeCount: UInt32(changes.count), reloadToken: reload, applied: applied)
        return try written { (writer) throws(CBORError) in
            try message.encodeHead(into: &writer)
            for change in changes { try change.encode(into: &writer) }
            try message.encodeTail(into: &writer)
        }
    }

    static func title(_ name: String, lastTrip: UInt32?) throws -> [UInt8] {
        let message = TitleMessage(listName: Canvas.title(name), lastTrip: lastTrip)
        return try written { (writer) throws(CBORError) in try message.encode(into: &writer) }
    }

    static func complication(_ entries: [ComplicationEntry]) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
            for entry in entries { try entry.encode(into: &writer) }
        }
    }

    private static func written(_ write: (inout CBORWriter) throws(CBORError) -> Void) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var writer = CBORWriter(buffer.mutableSpan)
        try write(&writer)
        let count = writer.count
        return Array(buffer.prefix(count))
    }
}
