import WatchLink

/// Datagrams that a phone sends, as bytes.
enum Datagrams {
    /// The bytes that `write` writes, at most 1,024.
    static func encoded(_ write: (inout CBORWriter) throws(CBORError) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count: Int
        do throws(CBORError) {
            var writer = CBORWriter(bytes.mutableSpan)
            try write(&writer)
            count = writer.count
        } catch {
            preconditionFailure("a datagram of the harness is short: \(error)")
        }
        return Array(bytes.prefix(count))
    }

    /// A control frame.
    static func control(_ frame: ControlFrame) -> [UInt8] {
        encoded { writer throws(CBORError) in try frame.encode(into: &writer) }
    }

    /// A message of a name that is a type's.
    static func message(_ message: some LinkMessage, sequence: UInt32) -> [UInt8] {
        encoded { writer throws(CBORError) in try message.encodeFrame(sequence: sequence, into: &writer) }
    }

    /// Changes of the list.
    static func list(_ changes: [ListChange], more: Int = 0, reload: UInt32? = nil, sequence: UInt32) -> [UInt8] {
        encoded { writer throws(CBORError) in
            let message = ListMessage(
                more: UInt32(more), changeCount: UInt32(changes.count), reloadToken: reload)
            try MessageHeader(.queued, sequence: sequence).encode(into: &writer)
            try writer.text(ListMessage.name)
            try message.encodeHead(into: &writer)
            for change in changes { try change.encode(into: &writer) }
            try message.encodeTail(into: &writer)
        }
    }

    /// A time line of the complication.
    static func complication(_ entries: [ComplicationEntry], sequence: UInt32) -> [UInt8] {
        encoded { writer throws(CBORError) in
            try MessageHeader(.latest, sequence: sequence).encode(into: &writer)
            try writer.text(ComplicationMessage.name)
            try ComplicationMessage(entryCount: UInt32(entries.count)).encodeHead(into: &writer)
            for entry in entries { try entry.encode(into: &writer) }
        }
    }

    /// The first titles of the list that the lab measures with.
    private static var titles: [String] {
        ["Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa"]
    }

    /// Changes that put items on a list, from the number `first` on. Their identifiers are spread over 32 bits, as a
    /// phone's are.
    static func puts(_ count: Int, first: Int = 1) -> [ListChange] {
        (first..<first + count).map { number in
            .put(
                id: UInt32(truncatingIfNeeded: number) &* 0x9E37_79B1, rank: UInt32(number),
                title: title(titles[(number - 1) % titles.count]))
        }
    }

    /// A title as the watch keeps it.
    static func title(_ text: String) -> ItemTitle { ItemTitle(utf8: Array(text.utf8).span) }
}
