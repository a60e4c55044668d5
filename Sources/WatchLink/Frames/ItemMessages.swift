/// Tells the phone that the wearer checked an item off. The watch sends it as a queued message.
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

    /// Writes the payload: keys 0 item, 1 local time, 2 tap. Writes nil as 0.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 3)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
        try writer.field(2, tap ?? 0)
    }

    /// Reads the payload. The item is required.
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

/// Tells the phone that the wearer added a past item back to the list. The watch sends it as a queued message.
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

    /// Writes the payload: keys 0 item, 1 local time. Writes nil as 0.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
    }

    /// Reads the payload. The item is required.
    package init(from reader: inout CBORReader) throws(CBORError) {
        // The keys are those of a check-off.
        let message = try CheckMessage(from: &reader)
        self.init(item: message.item, localTime: message.localTime)
    }
}

/// The name of the list, and the time of its newest check-off. The phone sends it as a latest value.
package struct TitleMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The name of the list, at most 48 bytes; a longer one is cut and marked.
    package var listName: ItemTitle
    /// The time of the list's newest check-off in local seconds since 1970, nil if there is none. If no item is open, this is the
    /// end of the last trip.
    package var lastTrip: UInt32?

    package init(listName: ItemTitle, lastTrip: UInt32?) {
        self.listName = listName
        self.lastTrip = lastTrip
    }

    package static var message: ApplicationMessage { .title }

    /// Writes the payload: key 0 list name, key 1 last trip. Writes nil as 0.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.unsigned(0 as UInt32)
        try writer.text(listName.utf8)
        try writer.field(1, lastTrip ?? 0)
    }

    /// Reads the payload. The name is required.
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

/// Asks the phone for the watch's list again. The watch sends it as a queued message.
///
/// The phone answers with `list` messages. The first begins with a clear, and the last has the token.
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

    /// Writes the payload: key 0 token, key 1 extent unless it is `.given`.
    @_lifetime(writer: copy writer)
    package func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: extent == .given ? 1 : 2)
        try writer.field(0, token)
        if extent != .given { try writer.field(1, extent.rawValue) }
    }

    /// Reads the payload. The token is required; a missing or unknown extent is `.given`.
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
