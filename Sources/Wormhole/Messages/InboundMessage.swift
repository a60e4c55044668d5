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
        /// The sender has withdrawn the message, or the message is malformed. The store only records the message's number.
        case nothing(Delivery)

        /// Either `.latest` or `.queued`. A complication message also has `.queued`; its `InboundMessage.charge` differs.
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
    /// The peer's present epoch, a random number. The peer chooses a new random epoch at each start, and when it has lost
    /// messages.
    public let epoch: UInt32
    /// The epoch in which the peer issued the message. Peer, origin and sequence identify a queued message permanently.
    public let origin: UInt32
    /// The sequence of a queued message, or the revision of a latest value (`Delivery.latest`).
    public let sequence: UInt32
    /// The budget that a queued message was charged to.
    public let charge: MessageCharge
    /// The content.
    public let content: Content

    /// Creates a message, for tests of a store's handler. If `origin` is nil, `epoch` is also the origin.
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
    /// The message's name and the size of its payload, such as `check, 12 bytes`.
    public var description: String {
        switch self {
        case .queued(let name, let payload): "\(name), \(CountText(payload.count, "byte"))"
        case .latest(let name, let payload): "\(name) (latest), \(CountText(payload.count, "byte"))"
        case .cleared(let name): "\(name) (cleared)"
        case .nothing: "no content"
        }
    }
}
