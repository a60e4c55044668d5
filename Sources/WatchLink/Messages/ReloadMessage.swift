/// The watch asks for its list again. From the watch to the phone, queued.
///
/// The phone answers with `list` messages, the first beginning with a clear and the last carrying the token.
public struct ReloadMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// How much is asked for.
    public enum Extent: UInt32, Sendable, BitwiseCopyable {
        /// The rows of this watch: the first 128 of the list.
        case given = 0
        /// Every row of the list: first the rows of this watch, then those beyond them.
        case everything = 1
    }

    /// A number chosen by the watch, which the answer carries.
    public var token: UInt32
    /// How much is asked for.
    public var extent: Extent

    /// The request with this number, by default for the rows of the watch.
    public init(token: UInt32, extent: Extent = .given) {
        self.token = token
        self.extent = extent
    }

    /// `reload`
    public static var message: ApplicationMessage { .reload }

    /// Writes the payload: 0 token, 1 extent, left out where it is `.given`.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        switch extent {
        case .given:
            try writer.map(count: 1)
            try writer.field(0, token)
        case .everything:
            try writer.map(count: 2)
            try writer.field(0, token)
            try writer.field(1, extent.rawValue)
        }
    }

    /// Reads the payload. The token is required; an extent that is missing or not known is `.given`.
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
