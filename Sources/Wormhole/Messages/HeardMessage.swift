/// A value that a message can carry.
public typealias Passable = Codable & Sendable

/// A message as listeners receive it.
public struct HeardMessage: Sendable, Hashable, Codable {
    /// The name that the message was passed under.
    public let name: MessageName
    /// The side that passed the message.
    public let origin: MessageOrigin
    /// How the message was delivered.
    public let delivery: Delivery
    /// One CBOR data item: the encoded value, or null if the message is a notification or `isCleared` is true.
    public let payload: [UInt8]
    /// True if the message reports that the name's value was cleared. Otherwise the message is a value or a notification.
    public private(set) var isCleared = false

    /// The payload of a message without a value: null in CBOR.
    static let nothing: [UInt8] = [0xF6]

    /// Whether the message is a notification, which has no value.
    public var isNotification: Bool { delivery == .interactive && payload == HeardMessage.nothing }

    /// Decodes the message's payload as `type`. Throws `.coding` if the payload has another type.
    public func decoded<Message: Passable>(as type: Message.Type) throws(WormholeError) -> Message {
        try MessageDecoder().decode(type, from: payload)
    }
}

extension HeardMessage {
    init(notifying name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .interactive, payload: HeardMessage.nothing)
    }

    init(clearing name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .latest, payload: HeardMessage.nothing, isCleared: true)
    }
}

/// The side that passed a message: this endpoint (`own`) or a peer.
public enum MessageOrigin: Hashable, Sendable, Codable {
    case own
    case peer(PeerIdentity)
}

/// A queued message from a peer, in the inbox of a `MessageStore`.
public struct KeptMessage: Hashable, Sendable {
    /// Identifies the message in the inbox, for `MessageStore.take`. Messages that arrived later have higher numbers.
    public let number: UInt64
    /// The message. Its delivery is `.queued` or `.complication`.
    public let message: HeardMessage
}
