/// Numbers the interactive messages on a link, in both directions.
struct ExchangeNumbers: BitwiseCopyable {
    enum Arrival {
        case first
        /// The exchange is not among the newest 32, so this side no longer knows whether it has a reply.
        case old
        /// The exchange has a reply already, or this side never began it.
        case unasked
    }

    private var asked: UInt32 = 0
    /// Which of our newest exchanges have a reply: bit 0 is the newest.
    private var replied: UInt32 = 0
    private var heard: UInt32 = 0

    mutating func ask() -> UInt32 {
        asked &+= 1
        replied <<= 1
        return asked
    }

    /// Returns whether the number of the peer's new exchange is the next one.
    mutating func hear(_ number: UInt32) -> Bool {
        guard number == heard &+ 1 else { return false }
        heard = number
        return true
    }

    mutating func reply(_ number: UInt32) -> Arrival {
        guard number <= asked else { return .unasked }
        let age = asked &- number
        guard age < 32 else { return .old }
        let bit = UInt32(1) << age
        guard replied & bit == 0 else { return .unasked }
        replied |= bit
        return .first
    }
}

/// Numbers the file transfers on a link, in both directions. It is not part of `Session`, because a device that takes no files
/// has no room for it.
package struct FileNumbers: BitwiseCopyable, Sendable {
    private var offered: UInt32 = 0
    private var heard: UInt32 = 0

    package init() {}

    package mutating func offer() -> UInt32 {
        offered &+= 1
        return offered
    }

    /// Returns the peer's fault if the number of an arrived frame is wrong, otherwise nil.
    package mutating func receive(_ header: FileHeader) -> ProtocolFault? {
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
