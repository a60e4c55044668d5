import WatchLink

/// A message for a watch, as a host stores it until the watch has it.
package struct FeedMessage: Equatable, Sendable {
    /// Which of the application's messages it is, which says what it is called and how it is delivered.
    package var name: ApplicationMessage
    /// Its value: one CBOR data item.
    package var payload: [UInt8]

    /// The bytes of its body: the name as CBOR text, and the payload.
    package var bodySize: Int {
        let length = name.text.utf8.count
        return CBORWriter.headSize(UInt32(length)) + length + payload.count
    }

    /// A message whose payload `write` writes, in at most `size` bytes.
    init(_ name: ApplicationMessage, size: Int, _ write: (inout CBORWriter) throws(CBORError) -> Void) throws(CBORError)
    {
        var bytes = [UInt8](repeating: 0, count: size)
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        let count = writer.count
        self.name = name
        payload = Array(bytes[..<count])
    }
}
