package struct OutboundMessage: Hashable, Sendable, Codable {
    package let name: MessageName
    /// Its encoded value: one CBOR data item.
    package let payload: [UInt8]

    package init(name: MessageName, payload: [UInt8]) {
        self.name = name
        self.payload = payload
    }

    /// The bytes that count against a peer's largest message: its name as CBOR text, and its payload.
    package var bodySize: Int { name.encodedSize + payload.count }
}

/// A latest value to send, with its revision.
package struct RevisedValue: Hashable, Sendable {
    /// Higher than that of every value before it.
    package let revision: UInt32
    package let name: MessageName
    /// The encoded value: one CBOR data item; nil where the name was cleared.
    package let payload: [UInt8]?

    package init(revision: UInt32, name: MessageName, payload: [UInt8]?) {
        self.revision = revision
        self.name = name
        self.payload = payload
    }
}
