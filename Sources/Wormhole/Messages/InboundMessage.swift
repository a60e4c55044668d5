import HostSystem
import WatchLink

/// A message that has arrived and waits to be applied.
public struct InboundMessage: Hashable, Sendable {
    /// What a message brings.
    public enum Content: Hashable, Sendable {
        /// A queued message: its name and its encoded value, one CBOR data item.
        case queued(MessageName, payload: [UInt8])
        /// A latest value: its name and one CBOR data item.
        case latest(MessageName, payload: [UInt8])
        /// The latest value of the name is cleared.
        case cleared(MessageName)
        /// Nothing: its sender has taken it back, or it cannot be read. It only uses up a number of its stream.
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

    /// The peer that passed it.
    public let peer: PeerIdentity
    /// The epoch of the peer's present run.
    public let epoch: UInt32
    /// The epoch in which the peer issued it. Peer, origin and sequence are the name of a queued message for good.
    public let origin: UInt32
    /// The sequence of a queued message, the revision of a latest value.
    public let sequence: UInt32
    /// What a queued message was charged to.
    public let charge: MessageCharge
    /// What it brings.
    public let content: Content

    /// A message as it arrives, to test a store's handler with.
    ///
    /// - Parameters:
    ///   - origin: the epoch in which it was issued; nil for the present one.
    ///   - charge: what a queued message was charged to.
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
    /// What it is, without the payload itself: `check, 12 bytes`.
    public var description: String {
        switch self {
        case .queued(let name, let payload): "\(name), \(CountText(payload.count, "byte"))"
        case .latest(let name, let payload): "\(name) (latest), \(CountText(payload.count, "byte"))"
        case .cleared(let name): "\(name) (cleared)"
        case .nothing: "no content"
        }
    }
}
