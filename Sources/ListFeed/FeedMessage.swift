import WatchLink

/// A message for a watch, as a host stores it until the watch has acknowledged it.
package struct FeedMessage: Equatable, Sendable {
    /// Decides the message's name on the wire, and its delivery.
    package var name: ApplicationMessage
    /// Its value: one CBOR data item.
    package var payload: [UInt8]

    /// The bytes of its body: the name as CBOR text, and the payload.
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

    /// The message as a datagram.
    package func datagram(_ delivery: LinkDelivery, sequence: UInt32) throws(CBORError) -> [UInt8] {
        try [UInt8](capacity: MessageHeader.size + bodySize) { writer throws(CBORError) in
            try MessageHeader(delivery, sequence: sequence).encode(into: &writer)
            try writer.text(Array(name.text.utf8).span)
            try writer.raw(payload.span)
        }
    }
}

extension ApplicationMessage {
    /// The message of this name, nil where the application has none.
    package init?(text: String) {
        self.init(name: Array(text.utf8).span)
    }

    package var text: String { "\(name)" }
}
