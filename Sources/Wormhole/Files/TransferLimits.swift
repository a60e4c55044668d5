/// The limits that this side sets for itself. PROTOCOL.md has the limits that both sides must keep.
enum TransferLimits {
    /// The most bytes of a chunk. A longer chunk would delay the message behind it.
    static let longestChunk = 16_384
    /// The most transfers that one side sends at the same time on a link.
    static let mostSending = 4
    static let mostReceiving = 8
    /// The most files for one peer, including those in transfer.
    static let mostWaiting = 64
    /// The most frames that wait to be sent. It limits the memory that a peer can use if it makes offers and never reads.
    static let mostWaitingFrames = 64
    /// The most partial files in one directory, for transfers that are not running.
    static let mostParts = 32
    static let mostEnded = 256
    static let mostNames = 10_000
}
