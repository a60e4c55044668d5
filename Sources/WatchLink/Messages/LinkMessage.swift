/// A payload that is read and written at once: a CBOR map with small integer keys.
///
/// Decoding never traps, skips keys that it does not know, and reads the whole payload before any of it is used, so a
/// message is applied whole or rejected.
public protocol LinkMessage: ApplicationPayload {
    /// Writes the payload.
    @_lifetime(writer: copy writer)
    func encode(into writer: inout CBORWriter) throws(CBORError)
    /// Reads the payload.
    init(from reader: inout CBORReader) throws(CBORError)
}

extension LinkMessage {
    /// Writes the whole frame of the message: header, name and payload.
    ///
    /// - Throws: `.outOfSpace` where the writer has too little room; what it holds then is of no use.
    @_lifetime(writer: copy writer)
    public func encodeFrame(sequence: UInt32, into writer: inout CBORWriter) throws(CBORError) {
        try MessageHeader(Self.delivery, sequence: sequence).encode(into: &writer)
        try encodeBody(into: &writer)
    }

    /// Writes the body of the message: name and payload. It is what a store keeps until the message is sent.
    @_lifetime(writer: copy writer)
    public func encodeBody(into writer: inout CBORWriter) throws(CBORError) {
        try writer.text(Self.name)
        try encode(into: &writer)
    }
}
