/// A message that has arrived and waits to be applied.
public struct InboundMessage: Hashable, Sendable {
    /// What it brings.
    public enum Content: Hashable, Sendable {
        /// A queued message: its name and its encoded value, one CBOR data item.
        case queued(MessageName, payload: [UInt8])
        /// A latest value: its name and one CBOR data item.
        case latest(MessageName, payload: [UInt8])
        /// The latest value of the name is cleared.
        case cleared(MessageName)
        /// Nothing: its sender has taken it back, or it cannot be read. It uses up a number of its stream, and that is
        /// all.
        case nothing(Delivery)

        /// How it was delivered.
        public var delivery: Delivery {
            switch self {
            case .queued: .queued
            case .latest, .cleared: .latest
            case .nothing(let delivery): delivery
            }
        }
    }

    /// Who passed it.
    public let peer: PeerIdentity
    /// The epoch of the peer's outgoing streams.
    public let epoch: UInt32
    /// Its number in the stream of its delivery: of a queued message the sequence, of a latest value the revision.
    public let sequence: UInt32
    /// What it brings.
    public let content: Content

    /// A message of a peer.
    public init(peer: PeerIdentity, epoch: UInt32, sequence: UInt32, content: Content) {
        self.peer = peer
        self.epoch = epoch
        self.sequence = sequence
        self.content = content
    }
}
