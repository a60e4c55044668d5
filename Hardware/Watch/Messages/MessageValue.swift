import WatchLink

/// A type of value that a handler sends and receives in messages. Each value is one CBOR data item. On the phone, a
/// `Codable` type reads and writes the same item: an `Int` is an integer, and a structure is a map.
public protocol MessageValue {
    /// Writes the value as one CBOR data item. Throws `.outOfSpace` if the item is longer than the size that the
    /// handler declared for the name.
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)

    /// Reads a value. An implementation must throw if the bytes are not such a value. It must never trap, because the
    /// phone chooses the bytes.
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
    /// Writes the text as a CBOR text string.
    @_lifetime(writer: copy writer)
    public func encode(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(utf8)
    }

    /// Reads a CBOR text string. Keeps at most 48 bytes of it, and only whole characters.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self.init()
        append(try reader.text())
    }
}

/// The CBOR value null, for a message that needs only its name.
public struct Nothing: MessageValue, Sendable, BitwiseCopyable {
    /// Makes a null value.
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

/// The reason why `WatchCore` refused a message, question or answer of the handler. A call that throws it has changed
/// nothing.
public enum MessageError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The handler has not declared this name for this use. `WatchCore.answer` also throws this if the phone does not
    /// wait for an answer under this name.
    case notDeclared
    /// The value is longer than `limit`, the size in bytes that the handler declared for the name.
    case tooLong(limit: Int)
    /// All places that the handler declared for queued messages to the phone are taken, or the outbox is full.
    case queueFull
    /// The message is not stored: flash has no room now, or the chip has failed. The watch makes room while it is idle,
    /// so a later call can succeed.
    case notKept
    /// No phone is linked, or the phone takes no questions.
    case outOfReach
    /// The previous question with this name is still open, or the handler has not received that question's event `.over`
    /// yet.
    case busy
}
