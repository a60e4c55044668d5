import DeviceModelTesting
import ListFeed
import WatchLink

/// Datagrams that a phone sends, as bytes.
enum Datagrams {
    static func control(_ frame: ControlFrame) throws -> [UInt8] {
        try [UInt8](capacity: 512) { writer throws(CBORError) in try frame.encode(into: &writer) }
    }

    /// A message of a name that is a type's.
    static func message(_ message: some LinkMessage, sequence: UInt32) throws -> [UInt8] {
        try [UInt8](capacity: 512) { writer throws(CBORError) in
            try message.encodeFrame(sequence: sequence, into: &writer)
        }
    }

    static func list(_ changes: [ListChange], more: Int = 0, reload: UInt32? = nil, sequence: UInt32) throws -> [UInt8]
    {
        try FeedBatch(changes: changes, more: UInt32(more), reloadToken: reload).message()
            .datagram(.queued, sequence: sequence)
    }

    static func complication(_ entries: [ComplicationEntry], sequence: UInt32) throws -> [UInt8] {
        try ComplicationFeed(entries: entries).message().datagram(.latest, sequence: sequence)
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
                title: ItemTitle(titles[(number - 1) % titles.count]))
        }
    }
}
