/// What can be passed: any value that defines its own encoding.
public typealias Passable = Codable & Sendable

/// A message as a listener to many names receives it.
public struct HeardMessage: Sendable, Hashable {
    /// The name that it was passed under.
    public let name: MessageName
    /// The side that passed it.
    public let origin: MessageOrigin
    /// How it was delivered.
    public let delivery: Delivery
    /// Its encoded value: one CBOR data item; null where the name was cleared.
    public let payload: [UInt8]
    /// Whether it has a value.
    public private(set) var act = Act.passed

    /// What somebody did with a name.
    public enum Act: Hashable, Sendable {
        /// They passed a message or a notification under it.
        case passed
        /// They cleared its value.
        case cleared
    }

    /// Null in CBOR: what a notification has for a value.
    static let nothing: [UInt8] = [0xF6]

    /// Whether it has no value.
    public var isNotification: Bool { delivery == .interactive && payload == HeardMessage.nothing }

    /// The message as a value of a type.
    ///
    /// - Throws: `.coding` where it is no such value.
    public func decoded<Message: Passable>(as type: Message.Type) throws(WormholeError) -> Message {
        try MessageDecoder().decode(type, from: payload)
    }
}

extension HeardMessage {
    /// A notification: a name that was passed without a value.
    init(notifying name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .interactive, payload: HeardMessage.nothing)
    }

    /// A name that was cleared.
    init(clearing name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .latest, payload: HeardMessage.nothing, act: .cleared)
    }
}

/// The side that passed a message.
public enum MessageOrigin: Hashable, Sendable {
    /// This endpoint itself.
    case own
    /// A peer.
    case peer(PeerIdentity)
}
