/// The limits that this module sets for its file transfers. PROTOCOL.md has the limits that bind both sides.
enum TransferLimits {
    /// The maximum content of a chunk, in bytes. A longer chunk would delay the messages that wait behind it.
    static let longestChunk = 16_384
    /// The maximum number of files that this side sends at the same time on a link.
    static let mostSending = 4
    static let mostReceiving = 8
    /// The maximum number of outgoing files for one peer, counting files that wait and files in transfer.
    static let mostWaiting = 64
    /// The maximum number of file frames, other than offers and chunks, that wait to be sent on a link. If the peer
    /// makes an offer while this many wait, this side closes the link. So a peer that reads no answers cannot fill the memory.
    static let mostWaitingFrames = 64
    /// The maximum number of partial files in one directory, not counting those of running transfers. If there are more when a
    /// transfer begins, the oldest are deleted.
    static let mostParts = 32
    static let mostEnded = 256
    static let mostNames = 10_000
}
