import WatchLink

/// Identifies one recipient's copy of an outgoing queued message. A restart does not change the number.
public struct MessageNumber: RawRepresentable, Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// The number; the first is 1.
    public let rawValue: UInt64

    /// Makes the message number with this raw value.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// True if `left` is lower. Messages get ascending numbers in the order in which they are passed.
    public static func < (left: MessageNumber, right: MessageNumber) -> Bool { left.rawValue < right.rawValue }

    /// The number in digits.
    public var description: String { "\(rawValue)" }
}

/// One recipient's copy of a queued message that the recipient has not acknowledged yet.
public struct OutstandingMessage: Hashable, Sendable, Codable {
    /// The number with which programs ask for the fate of the message.
    public let number: MessageNumber
    /// The recipient.
    public let peer: PeerIdentity
    /// The name that the message was passed under.
    public let name: MessageName
    /// `.complication` if the message was charged to the peer's budget of complication messages, else `.queued`.
    public let delivery: Delivery
    /// The size of the encoded value, in bytes.
    public let bytes: Int
}

package struct IssuedMessage: Hashable, Sendable {
    /// The message's number in the queue for the peer. It changes if the queue is renumbered.
    package let sequence: UInt32
    package let epoch: UInt32
    package let number: MessageNumber
    package let charge: MessageCharge
}

package struct QueuePlace: Hashable, Sendable {
    package let peer: PeerIdentity
    package let sequence: UInt32
    package let name: MessageName
}

package struct QueuedMessage: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case message(OutboundMessage, MessageCharge)
        case withdrawn(MessageName)
    }

    package let sequence: UInt32
    /// The epoch in which this side issued the message. Nil if that is the present epoch, or if the recipient is a
    /// watch.
    package let origin: UInt32?
    package let content: Content

    package init(sequence: UInt32, origin: UInt32? = nil, content: Content) {
        self.sequence = sequence
        self.origin = origin
        self.content = content
    }
}

extension [QueuedMessage] {
    package func withoutGaps(from first: UInt32) -> [QueuedMessage] {
        Array(enumerated().prefix { $0.element.sequence == first &+ UInt32($0.offset) }.map(\.element))
    }
}

package struct OutboundMessage: Hashable, Sendable, Codable {
    package let name: MessageName
    /// The encoded value: one CBOR data item.
    package let payload: [UInt8]

    package init(name: MessageName, payload: [UInt8]) {
        self.name = name
        self.payload = payload
    }

    /// How many bytes count against the peer's limit for a message: the encoded name and the payload.
    package var bodySize: Int { name.encodedSize + payload.count }
}

package struct RevisedValue: Hashable, Sendable {
    package let revision: UInt32
    package let name: MessageName
    /// The encoded value: one CBOR data item; nil if the name was cleared.
    package let payload: [UInt8]?
}
