/// What is kept of a file that is on its way.
package struct TransferRecord: Hashable, Sendable {
    /// How far it has got.
    package enum State: UInt8, Sendable {
        /// The peer does not know of it.
        case waiting
        /// It was offered to the peer.
        case begun
    }

    /// Its name for good: drawn at random, not 0.
    package let transfer: UInt64
    package let peer: PeerIdentity
    package let label: FileLabel
    package let path: String
    /// Bytes.
    package let length: UInt64
    /// The SHA-256 of the content, 32 bytes.
    package let hash: [UInt8]
    /// One CBOR data item; nil for nothing.
    package let metadata: [UInt8]?
    package let owner: FileOwner
    package var state: State

    package init(
        transfer: UInt64, peer: PeerIdentity, label: FileLabel, path: String, length: UInt64, hash: [UInt8],
        metadata: [UInt8]?, owner: FileOwner = .sender, state: State
    ) {
        self.transfer = transfer
        self.peer = peer
        self.label = label
        self.path = path
        self.length = length
        self.hash = hash
        self.metadata = metadata
        self.owner = owner
        self.state = state
    }
}
