import HostSystem
import WatchLink

/// A message that has arrived but is not applied yet.
public struct InboundMessage: Hashable, Sendable {
    /// The content of a message.
    public enum Content: Hashable, Sendable {
        /// The payload is one CBOR data item.
        case queued(MessageName, payload: [UInt8])
        case latest(MessageName, payload: [UInt8])
        case cleared(MessageName)
        /// The sender has withdrawn the message, or it is malformed. It only uses up its sequence number.
        case nothing(Delivery)

        /// How the message was delivered.
        public var delivery: Delivery {
            switch self {
            case .queued: .queued
            case .latest, .cleared: .latest
            case .nothing(let delivery): delivery
            }
        }
    }

    /// The peer that sent the message.
    public let peer: PeerIdentity
    /// The peer's present epoch: a random number that it draws again at each start.
    public let epoch: UInt32
    /// The epoch in which the peer issued the message. Peer, origin and sequence identify a queued message permanently.
    public let origin: UInt32
    /// The sequence of a queued message, or the revision of a latest value.
    public let sequence: UInt32
    /// The budget that a queued message was charged to.
    public let charge: MessageCharge
    /// The content.
    public let content: Content

    /// Creates an arriving message, for tests of a store's handler. `origin` is nil for the present epoch.
    public init(
        peer: PeerIdentity, epoch: UInt32, origin: UInt32? = nil, sequence: UInt32, charge: MessageCharge = .nothing,
        content: Content
    ) {
        self.peer = peer
        self.epoch = epoch
        self.origin = origin ?? epoch
        self.sequence = sequence
        self.charge = charge
        self.content = content
    }
}

extension InboundMessage.Content: CustomStringConvertible {
    /// The content without its payload: `check, 12 bytes`.
    public var description: String {
        switch self {
        case .queued(let name, let payload): "\(name), \(CountText(payload.count, "byte"))"
        case .latest(let name, let payload): "\(name) (latest), \(CountText(payload.count, "byte"))"
        case .cleared(let name): "\(name) (cleared)"
        case .nothing: "no content"
        }
    }
}
