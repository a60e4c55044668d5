import WatchLink

/// A value under one of a handler's own names: one CBOR data item.
///
/// A host reads and writes the same item through `Codable`: an integer is an `Int` there, a map a structure.
public protocol MessageValue {
    /// Writes the item.
    ///
    /// - Throws: `.outOfSpace` if the item is longer than the name has room for.
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)

    /// Reads the item. Must never trap: the bytes come from the other side.
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

    /// Reads a text, cut after at most 48 bytes at a whole character.
    public init(from reader: inout CBORReader) throws(CBORError) {
        self.init()
        append(try reader.text())
    }
}

/// Null: the value of a notification without one.
public struct Nothing: MessageValue, Sendable, BitwiseCopyable {
    /// Null.
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

/// Why a message under one of the handler's own names was not passed. Nothing has changed then.
public enum MessageError: Error, Equatable, Sendable, BitwiseCopyable {
    /// The handler has not declared the name for this use.
    case notDeclared
    /// The value is longer than this number of bytes.
    case tooLong(limit: Int)
    /// As many messages wait for the phone as were declared.
    case queueFull
    /// The flash chip has no room now or does not keep the message. The watch makes room while it is idle.
    case notKept
    /// There is no link to a phone, or the phone takes no questions.
    case outOfReach
    /// Another question under this name is open.
    case busy
}
