/// The watch asks for its whole list again. From the watch to the phone, queued.
///
/// The phone answers with `list` messages, the first beginning with a clear and the last carrying the token.
public struct ReloadMessage: LinkMessage, Equatable, Sendable, BitwiseCopyable {
    /// A number by which the watch knows the answer.
    public var token: UInt32

    /// The request with this number.
    public init(token: UInt32) {
        self.token = token
    }

    /// `reload`
    public static var name: StaticString { "reload" }
    /// Queued.
    public static var delivery: LinkDelivery { .queued }

    /// Writes the payload: 0 token.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.map(count: 1)
        try writer.field(0, token)
    }

    /// Reads the payload. The token is required.
    public init(from reader: inout CBORReader) throws(CBORError) {
        token = 0
        var fields = try CBORFields(&reader)
        while let key = try fields.next(&reader) {
            if key == 0 {
                token = try reader.word()
            } else {
                try reader.skip()
            }
        }
        try fields.require(0b1)
    }
}
