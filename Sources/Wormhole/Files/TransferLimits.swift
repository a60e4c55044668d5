/// The limits of file transfers. PROTOCOL.md has the limits that both sides must keep.
enum TransferLimits {
    /// The most bytes of content in one chunk. A longer chunk would delay the message behind it.
    static let longestChunk = 16_384
    /// The most transfers that one side starts on a link before another one has ended.
    static let mostSending = 4
    /// The most transfers that one side accepts from a peer at once.
    static let mostReceiving = 8
    /// The most files that wait for one peer, including those in transfer.
    static let mostWaiting = 64
    /// The most file frames that wait to be sent. It limits the memory that a peer can use if it makes offers and never reads.
    static let mostWaitingFrames = 64
    /// The most partial files that a directory keeps for transfers that are not running.
    static let mostParts = 32
    /// The most ended files of each direction that a store remembers.
    static let mostEnded = 256
    /// The most names to try for a file.
    static let mostNames = 10_000
}
