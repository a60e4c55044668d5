/// PROTOCOL.md has the limits that both sides must keep.
enum TransferLimits {
    /// In bytes. A longer chunk would delay the message behind it.
    static let longestChunk = 16_384
    /// The most transfers that one side starts on a link before another one has ended.
    static let mostSending = 4
    static let mostReceiving = 8
    /// For one peer, including the files in transfer.
    static let mostWaiting = 64
    /// Limits the memory that a peer can use if it makes offers and never reads.
    static let mostWaitingFrames = 64
    /// In one directory, for transfers that are not running.
    static let mostParts = 32
    static let mostEnded = 256
    static let mostNames = 10_000
}
