/// The wearer checked an item off. From the watch to the phone, queued.
public struct CheckMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The item, as the phone numbers it.
    public var item: UInt32
    /// When, in local seconds since 1970, 0 where the watch does not know the time.
    public var localTime: UInt32
    /// The number of the tap on this watch, by which its marks are found again.
    public var tap: UInt32

    /// The check-off of an item.
    public init(item: UInt32, localTime: UInt32, tap: UInt32) {
        self.item = item
        self.localTime = localTime
        self.tap = tap
    }

    /// `check`
    public static var name: StaticString { "check" }
    /// Queued.
    public static var delivery: LinkDelivery { .queued }

    /// Writes the payload: 0 item, 1 local time, 2 tap.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 3)
        try writer.field(0, item)
        try writer.field(1, localTime)
        try writer.field(2, tap)
    }

    /// Reads the payload. The item is required; time and tap are 0 where they are missing.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self.init(item: 0, localTime: 0, tap: 0)
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            switch key {
            case 0: item = try reader.word()
            case 1: localTime = try reader.word()
            case 2: tap = try reader.word()
            default: try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
