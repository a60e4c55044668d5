/// The wearer checked an item off. From the watch to the phone, queued.
public struct CheckMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The phone's number of the item.
    public var item: UInt32
    /// The time of the check-off in local seconds since 1970, nil where the watch does not know the time.
    public var localTime: UInt32?
    /// The number of the tap in the watch's trace, nil where it is not known.
    public var tap: UInt32?

    /// The check-off of an item.
    public init(item: UInt32, localTime: UInt32?, tap: UInt32?) {
        self.item = item
        self.localTime = localTime
        self.tap = tap
    }

    /// The message with this payload.
    public static var message: ApplicationMessage { .check }

    /// Writes the payload: keys 0 item, 1 local time, 2 tap; the wire's form of nil is 0.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 3)
        try writer.field(0, item)
        try writer.field(1, localTime ?? 0)
        try writer.field(2, tap ?? 0)
    }

    /// Reads the payload. The item is required.
    public init(from reader: inout CBORReader) throws(CBORError) {
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
