/// A payload that is read and written as a whole: a CBOR map with small integer keys.
///
/// Decoding never traps, skips unknown keys, and reads the whole payload before any of it is used: a message is applied
/// whole or rejected.
public protocol LinkMessage: ApplicationPayload {
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)
    init(from reader: inout CBORReader) throws(CBORError)
}

extension LinkMessage {
    /// Writes the whole frame of the message: header, name and payload.
    ///
    /// - Throws: `.outOfSpace` where the writer has too little room; it then holds an incomplete frame.
    @_lifetime(writer: copy writer)
    public func encodeFrame(sequence: UInt32, into writer: inout CBORWriter) throws(CBORError) {
        try MessageHeader(Self.delivery, sequence: sequence).encode(into: &writer)
        try encodeBody(into: &writer)
    }

    /// Writes the body of the message, name and payload: what a store keeps until the message is sent.
    @_lifetime(writer: copy writer)
    public func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(Self.name)
        try encode(into: &writer)
    }
}
