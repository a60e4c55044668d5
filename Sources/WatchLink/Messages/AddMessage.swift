/// The wearer added a past item back to the list. From the watch to the phone, queued.
public struct AddMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The number that the phone has reserved for the item, in its `past` message.
    public var item: UInt32
    /// The time of the addition in local seconds since 1970, nil where the watch does not know the time.
    public var localTime: UInt32?

    /// The addition of an item.
    public init(item: UInt32, localTime: UInt32?) {
        self.item = item
        self.localTime = localTime
    }

    /// The message with this payload.
    public static var message: ApplicationMessage { .add }
    /// The most items of a `past` message: three panels.
    public static var mostPastItems: Int { 18 }

    /// Writes the payload: keys 0 item, 1 local time; the wire's form of nil is 0.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 2)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
    }

    /// Reads the payload. The item is required.
    public init(from reader: inout CBORReader) throws(CBORError) {
        // The keys are those of a check-off.
        let message = try CheckMessage(from: &reader)
        self.init(item: message.item, localTime: message.localTime)
    }
}
