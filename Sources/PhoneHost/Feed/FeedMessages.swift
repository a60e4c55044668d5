import WatchLink
import Wormhole

extension WatchFeed.Batch {
    /// The batch as a message for a queue.
    func message() throws(CBORError) -> OutboundMessage {
        let size = ListMessage.overhead + changes.reduce(0) { $0 + $1.encodedSize }
        var bytes = [UInt8](repeating: 0, count: size)
        let message = ListMessage(
            more: more, changeCount: UInt32(changes.count), reloadToken: reloadToken, rows: rows)
        var writer = CBORWriter(bytes.mutableSpan)
        try message.encodeHead(into: &writer)
        for change in changes { try change.encode(into: &writer) }
        try message.encodeTail(into: &writer)
        let count = writer.count
        return OutboundMessage(name: .list, payload: Array(bytes[..<count]))
    }
}

extension TitleMessage {
    /// The message as a payload.
    func payload() throws(CBORError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16 + listName.count)
        var writer = CBORWriter(bytes.mutableSpan)
        try encode(into: &writer)
        let count = writer.count
        return Array(bytes[..<count])
    }
}

extension ComplicationFeed {
    /// The time line as the payload of a message.
    func payload() throws(CBORError) -> [UInt8] {
        let size = ComplicationMessage.overhead + entries.reduce(0) { $0 + $1.encodedSize }
        var bytes = [UInt8](repeating: 0, count: size)
        var writer = CBORWriter(bytes.mutableSpan)
        try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
        for entry in entries { try entry.encode(into: &writer) }
        let count = writer.count
        return Array(bytes[..<count])
    }
}

extension MessageName {
    /// The name of `ListMessage`.
    static let list: MessageName = "list"
    /// The name of `TitleMessage`.
    static let title: MessageName = "title"
    /// The name of `ComplicationMessage`.
    static let complication: MessageName = "complication"
    /// The name of `CheckMessage`.
    static let check: MessageName = "check"
    /// The name of `ReloadMessage`.
    static let reload: MessageName = "reload"
}
