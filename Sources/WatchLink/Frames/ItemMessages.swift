/// A queued message in which the watch says that the wearer checked off an item.
package struct CheckMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The number that the phone has given the item.
    package var item: UInt32
    /// The time of the check-off, in seconds since 1970-01-01 00:00 local time; nil if the watch does not know the time.
    package var localTime: UInt32?
    /// The number of the tap that checked off the item; nil if unknown. The watch counts taps from 1 after each start.
    package var tap: UInt32?

    package init(item: UInt32, localTime: UInt32?, tap: UInt32?) {
        self.item = item
        self.localTime = localTime
        self.tap = tap
    }

    package static var message: ApplicationMessage { .check }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 3)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
        try writer.field(2, tap ?? 0)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(item: 0, localTime: nil, tap: nil)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: item = try reader.word()
            case 1: localTime = try reader.wordUnlessZero()
            case 2: tap = try reader.wordUnlessZero()
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}

/// A queued message in which the watch says that the wearer put an item of an earlier trip back on the list.
package struct AddMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The number that the phone reserved for the item when it offered the item in a `past` message.
    package var item: UInt32
    /// The time of the addition, in seconds since 1970-01-01 00:00 local time; nil if the watch does not know the time.
    package var localTime: UInt32?

    package init(item: UInt32, localTime: UInt32?) {
        self.item = item
        self.localTime = localTime
    }

    package static var message: ApplicationMessage { .add }
    /// The maximum number of items in a `past` message. They fill three screens of the memory LCD, which shows 6 rows.
    package static var mostPastItems: Int { 18 }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let message = try CheckMessage(from: &reader)
        self.init(item: message.item, localTime: message.localTime)
    }
}

/// The name of the phone's list and the time of the list's newest check-off. Sent as a latest value (`LinkDelivery.latest`).
package struct TitleMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The list's name. The message does not say whether the sender cut the name.
    package var listName: ItemTitle
    /// The time of the list's newest check-off, in seconds since 1970-01-01 00:00 local time; nil if there is none. If no item
    /// is open, the last trip ended at this time.
    package var lastTrip: UInt32?

    package init(listName: ItemTitle, lastTrip: UInt32?) {
        self.listName = listName
        self.lastTrip = lastTrip
    }

    package static var message: ApplicationMessage { .title }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.unsigned(0 as UInt32)
        try writer.text(listName.utf8)
        try writer.field(1, lastTrip ?? 0)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
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

/// A queued message in which the watch asks the phone for its list again. The phone answers with `list` messages. The first of
/// them begins with `ListChange.clear`, and the last repeats `token`.
package struct ReloadMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    package enum Extent: UInt32, Sendable, BitwiseCopyable {
        /// The rows that the phone gives every watch: the first 128 open items of its list.
        case given = 0
        /// All open items of the list: first the rows of `given`, then the items after them, in `ListMessage.Rows.beyond`
        /// messages.
        case everything = 1
    }

    /// A number that the watch chooses. The last message of the answer repeats it.
    package var token: UInt32
    package var extent: Extent

    package init(token: UInt32, extent: Extent = .given) {
        self.token = token
        self.extent = extent
    }

    package static var message: ApplicationMessage { .reload }

    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: extent == .given ? 1 : 2)
        try writer.field(0, token)
        if extent != .given { try writer.field(1, extent.rawValue) }
    }

    /// Reads the payload. If the extent is missing or unknown, it becomes `.given`.
    package init(from reader: inout CBORReader) throws(CBORError) {
        self.init(token: 0)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: token = try reader.word()
            case 1: extent = Extent(rawValue: try reader.word()) ?? .given
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
