import WatchLink

/// A message that the host stores until the watch has acknowledged it.
package struct FeedMessage: Equatable, Sendable {
    /// The name decides the delivery.
    package var name: ApplicationMessage
    /// One CBOR data item.
    package var payload: [UInt8]

    /// In bytes: the name as CBOR text, and the payload.
    package var bodySize: Int {
        let length = name.text.utf8.count
        return CBORWriter.headSize(UInt32(length)) + length + payload.count
    }

    /// - Parameter write: writes the payload, at most `size` bytes.
    init(_ name: ApplicationMessage, size: Int, _ write: (inout CBORWriter) throws(CBORError) -> Void) throws(CBORError)
    {
        self.name = name
        payload = try [UInt8](capacity: size, writing: write)
    }

    package func datagram(_ delivery: LinkDelivery, sequence: UInt32) throws(CBORError) -> [UInt8] {
        try [UInt8](capacity: MessageHeader.size + bodySize) { writer throws(CBORError) in
            try MessageHeader(delivery, sequence: sequence).encode(into: &writer)
            try writer.text(Array(name.text.utf8).span)
            try writer.raw(payload.span)
        }
    }
}

extension ApplicationMessage {
    /// nil if the application has no message of this name.
    package init?(text: String) {
        self.init(name: Array(text.utf8).span)
    }

    package var text: String { "\(name)" }
}

extension [UInt8] {
    /// - Throws: `.outOfSpace` for more than `capacity` bytes; what `write` throws.
    package init(
        capacity: Int, writing write: (inout CBORWriter) throws(CBORError) -> Void
    ) throws(CBORError) {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var writer = CBORWriter(bytes.mutableSpan)
        try write(&writer)
        let count = writer.count
        self = Array(bytes[..<count])
    }
}
