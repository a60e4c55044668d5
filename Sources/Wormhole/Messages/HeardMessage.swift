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
    /// The encoded value: one CBOR data item; CBOR's null if the name was cleared.
    public let payload: [UInt8]
    /// Whether the message says that the name was cleared. Otherwise it is a value or a notification.
    public private(set) var isCleared = false

    /// Null in CBOR.
    static let nothing: [UInt8] = [0xF6]

    /// Whether the message is a notification, which has no value.
    public var isNotification: Bool { delivery == .interactive && payload == HeardMessage.nothing }

    /// The value of the message, decoded as a type. Throws `.coding` if the value has another type.
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

/// The side that passed a message.
public enum MessageOrigin: Hashable, Sendable, Codable {
    case own
    case peer(PeerIdentity)
}

/// A queued message from a peer, kept in the inbox of a store.
public struct KeptMessage: Hashable, Sendable {
    /// The number in the inbox. Later messages have higher numbers.
    public let number: UInt64
    /// The message, delivered by `.queued` or `.complication`.
    public let message: HeardMessage
}
