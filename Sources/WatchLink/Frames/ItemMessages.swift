/// The wearer checked an item off: a queued message from the watch.
package struct CheckMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The number that the phone has given the item.
    package var item: UInt32
    /// The time of the check-off in local seconds since 1970, nil if the watch does not know the time.
    package var localTime: UInt32?
    /// The number of the tap in the watch's trace, nil if unknown.
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

/// The wearer added a past item back to the list: a queued message from the watch.
package struct AddMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The number that the phone has reserved for the item, in its `past` message.
    package var item: UInt32
    /// The time of the addition in local seconds since 1970, nil if the watch does not know the time.
    package var localTime: UInt32?

    package init(item: UInt32, localTime: UInt32?) {
        self.item = item
        self.localTime = localTime
    }

    package static var message: ApplicationMessage { .add }
    /// The most items of a `past` message: three full screens.
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

/// The name of the list, and the time of its newest check-off: a latest value from the phone.
package struct TitleMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The list's name. A name of more than 48 bytes is cut and marked as cut.
    package var listName: ItemTitle
    /// The time of the newest check-off in local seconds since 1970; nil if there is none. If no item is open, it is the end of
    /// the last trip.
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

/// Asks the phone for the watch's list again: a queued message. The phone answers with `list` messages. The first begins with
/// the removal of all rows, and the last repeats `token`.
package struct ReloadMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    package enum Extent: UInt32, Sendable, BitwiseCopyable {
        /// The rows of this watch: the first 128 of the list.
        case given = 0
        /// Every row of the list: first the rows of this watch, then the others.
        case everything = 1
    }

    /// A number that the watch chooses and the answer repeats.
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

    /// Reads the payload. A missing or unknown extent is `.given`.
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
