/// A queued message of a peer that waits in the inbox of a store until somebody takes it.
public struct KeptMessage: Hashable, Sendable {
    /// Its number in the inbox; messages have ascending numbers in the order of their arrival.
    public let number: UInt64
    /// The peer that passed it.
    public let peer: PeerIdentity
    /// The name that it was passed under.
    public let name: MessageName
    /// How it was delivered: `.queued` or `.complication`.
    public let delivery: Delivery
    /// Its encoded value: one CBOR data item.
    public let payload: [UInt8]
}
