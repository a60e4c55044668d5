import WatchLink

/// A message for a watch. The phone stores it until the watch acknowledges it.
package struct FeedMessage: Equatable, Sendable {
    /// The message's name. The phone delivers the message as `name.delivery` says, but queues a push of the
    /// complication.
    package var name: ApplicationMessage
    /// The content: one CBOR data item.
    package var payload: [UInt8]

    /// The size in bytes of the name, encoded as a CBOR text string, plus the payload.
    package var bodySize: Int {
        let length = name.text.utf8.count
        return CBORWriter.headSize(UInt32(length)) + length + payload.count
    }

    /// - Parameter write: writes the payload, which has at most `size` bytes.
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
    /// Creates the message with this name; nil if the list application has no such message.
    package init?(text: String) {
        self.init(name: Array(text.utf8).span)
    }

    package var text: String { "\(name)" }
}

extension [UInt8] {
    /// Creates an array of the bytes that `write` writes.
    ///
    /// - Throws: `.outOfSpace` if they are more than `capacity`; any error of `write`.
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
