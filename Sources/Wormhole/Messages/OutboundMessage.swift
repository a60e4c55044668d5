/// A queued message on its way out.
public struct OutboundMessage: Hashable, Sendable {
    /// The name that it is passed under.
    public let name: MessageName
    /// Its encoded value: one CBOR data item.
    public let payload: [UInt8]

    /// A message under a name.
    public init(name: MessageName, payload: [UInt8]) {
        self.name = name
        self.payload = payload
    }

    /// The bytes that it takes of what a peer calls the largest message: its name as CBOR text, and its payload.
    public var bodySize: Int { name.encodedSize + payload.count }
}

/// A latest value on its way out.
public struct OutboundValue: Hashable, Sendable {
    /// What there is under the name.
    public enum Content: Hashable, Sendable {
        /// The encoded value: one CBOR data item.
        case value([UInt8])
        /// Nothing any more.
        case cleared
    }

    /// The name.
    public let name: MessageName
    /// What there is under it.
    public let content: Content

    /// What there is under a name.
    public init(name: MessageName, content: Content) {
        self.name = name
        self.content = content
    }
}

/// A latest value with its revision.
public struct RevisedValue: Hashable, Sendable {
    /// Higher than that of every value before it.
    public let revision: UInt32
    /// The value.
    public let value: OutboundValue

    /// A value of that revision.
    public init(revision: UInt32, value: OutboundValue) {
        self.revision = revision
        self.value = value
    }
}

/// How far the outgoing streams to a peer have come.
public struct IssuedPositions: Hashable, Sendable {
    /// The highest sequence of the queue, 0 for none.
    public let queued: UInt32
    /// The highest revision of the latest values, 0 for none.
    public let latest: UInt32

    /// Streams that have come this far.
    public init(queued: UInt32, latest: UInt32) {
        self.queued = queued
        self.latest = latest
    }
}
