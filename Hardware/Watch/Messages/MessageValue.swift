import WatchLink

/// A value of a handler's message: one CBOR data item. On the phone, `Codable` reads and writes the same item: an integer is an
/// `Int`, and a map is a structure.
public protocol MessageValue {
    /// Writes the item. Throws `.outOfSpace` if it is longer than the handler declared for the name.
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)

    /// Must never trap, because the other side chooses the bytes.
    init(from reader: inout CBORReader) throws(CBORError)
}

extension UInt32: MessageValue {
    /// Writes an unsigned integer.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.unsigned(self)
    }

    /// Reads an integer from 0 to 2^32 - 1.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self = try reader.word()
    }
}

extension Bool: MessageValue {
    /// Writes true or false.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.boolean(self)
    }

    /// Reads true or false.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self = try reader.boolean()
    }
}

extension ShortText: MessageValue {
    /// Writes a text.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(utf8)
    }

    /// Reads a text. A text longer than 48 bytes is cut after a whole character.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self.init()
        append(try reader.text())
    }
}

/// The value null, for a message that is only a name.
public struct Nothing: MessageValue, Sendable, BitwiseCopyable {
    /// Makes the value null.
    public init() {}

    /// Writes null.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.null()
    }

    /// Reads null.
    public init(from reader: inout CBORReader) throws(CBORError) {
        try reader.null()
    }
}

/// The reason why a message was not passed. After an error, nothing has changed.
public enum MessageError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The handler has not declared this name for this use.
    case notDeclared
    /// The value is longer than this declared number of bytes.
    case tooLong(limit: Int)
    /// The declared number of messages already waits for the phone.
    case queueFull
    /// The flash chip has no room now, or could not store the message. The watch makes room while it is idle.
    case notKept
    /// No phone is linked, or the phone takes no questions.
    case outOfReach
    /// Another question with this name is open.
    case busy
}
