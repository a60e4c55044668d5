/// The name of the list and the time when the wearer last finished it. From the phone to the watch, latest.
public struct TitleMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The name of the list, at most 48 bytes; a longer one is cut and marked.
    public var listName: ItemTitle
    /// The time when the last open item was checked off, in local seconds since 1970; nil where that has not happened
    /// yet.
    public var lastTrip: UInt32?

    /// The name of a list, with the end of its last trip.
    public init(listName: ItemTitle, lastTrip: UInt32?) {
        self.listName = listName
        self.lastTrip = lastTrip
    }

    /// The message with this payload.
    public static var message: ApplicationMessage { .title }

    /// Writes the payload: key 0 list name, key 1 last trip; the wire's form of nil is 0.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.unsigned(0 as UInt32)
        try writer.text(listName.utf8)
        try writer.field(1, lastTrip ?? 0)
    }

    /// Reads the payload. The name is required.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self.init(listName: ItemTitle(), lastTrip: nil)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: listName = ItemTitle(utf8: try reader.text())
            case 1: lastTrip = try reader.wordUnlessZero()
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
