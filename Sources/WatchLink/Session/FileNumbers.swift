/// The numbers of the file transfers on a link, in both directions. How far each has got is known to the shell, which keeps this
/// beside the session: a device that takes no files has no room for it.
public struct FileNumbers: BitwiseCopyable, Sendable {
    /// The newest number of ours.
    private var offered: UInt32 = 0
    /// The newest number of the peer's.
    private var heard: UInt32 = 0

    /// The numbers of a new link.
    public init() {}

    /// The number of a new transfer of ours.
    public mutating func offer() -> UInt32 {
        offered &+= 1
        return offered
    }

    /// Takes the header of a frame that has arrived.
    ///
    /// - Returns: what is wrong with its number; nil where nothing is.
    public mutating func receive(_ header: FileHeader) -> ProtocolFault? {
        switch header.step {
        case .offer:
            guard header.number == heard &+ 1 else { return .sequenceGap }
            heard = header.number
            return nil
        case .chunk, .cancel: return header.number <= heard ? nil : .brokenTransfer
        case .resume, .done, .progress, .refusal: return header.number <= offered ? nil : .brokenTransfer
        }
    }
}
