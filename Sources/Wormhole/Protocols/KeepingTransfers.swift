import WatchLink

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
    package var state: State

    package init(
        transfer: UInt64, peer: PeerIdentity, label: FileLabel, path: String, length: UInt64, hash: [UInt8],
        metadata: [UInt8]?, state: State
    ) {
        self.transfer = transfer
        self.peer = peer
        self.label = label
        self.path = path
        self.length = length
        self.hash = hash
        self.metadata = metadata
        self.state = state
    }
}

/// Keeps the list of the files that are on their way, so that a restart or a crash ends none. Each call is one transaction, which
/// is durable when the call returns. How much of a file has arrived is known to its receiver, and kept there.
package protocol KeepingTransfers: Sendable {
    /// The files that are on their way, in the order in which they were added.
    func transfers() async throws(WormholeError) -> [TransferRecord]

    /// Adds one.
    func add(_ record: TransferRecord) async throws(WormholeError)

    /// It was offered to its peer. One that is not there changes nothing.
    func begun(_ transfer: UInt64) async throws(WormholeError)

    /// It has arrived, or never will. One that is not there changes nothing.
    func remove(_ transfer: UInt64) async throws(WormholeError)
}
