/// The watch requests its list again. From the watch to the phone, queued.
///
/// The phone answers with `list` messages: the first begins with a clear, the last has the token.
public struct ReloadMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// The requested part of the list.
    public enum Extent: UInt32, Sendable, BitwiseCopyable {
        /// The rows of this watch: the first 128 of the list.
        case given = 0
        /// All rows: first those of this watch, then those beyond.
        case everything = 1
    }

    /// A number of the watch's choice, which the answer repeats.
    public var token: UInt32
    /// The requested part of the list.
    public var extent: Extent

    /// A request, by default for the rows of this watch.
    public init(token: UInt32, extent: Extent = .given) {
        self.token = token
        self.extent = extent
    }

    /// The message with this payload.
    public static var message: ApplicationMessage { .reload }

    /// Writes the payload: key 0 token, key 1 extent unless it is `.given`.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: extent == .given ? 1 : 2)
        try writer.field(0, token)
        if extent != .given { try writer.field(1, extent.rawValue) }
    }

    /// Reads the payload. The token is required; a missing or unknown extent is `.given`.
    public init(from reader: inout CBORReader) throws(CBORError) {
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
