/// The limits of file transfers. PROTOCOL.md has those that both sides keep.
enum TransferLimits {
    /// The most bytes of content in one chunk: a longer one would hold up the message behind it.
    static let longestChunk = 16_384
    /// The most transfers that a side begins on one link before another has ended.
    static let mostSending = 4
    /// The most transfers of the peer's that a side takes at once.
    static let mostReceiving = 8
    /// The most files that wait for one peer, those under way among them.
    static let mostWaiting = 64
    /// The most frames of transfers that wait to be sent: a peer that offers and does not read is not let in for more.
    static let mostWaitingFrames = 64
    /// The most files in parts that a directory keeps for transfers that are not under way.
    static let mostParts = 32
    /// The most files of peers of which a store remembers that they need not come again.
    static let mostEnded = 256
    /// The most names that are tried for a file.
    static let mostNames = 10_000
}
