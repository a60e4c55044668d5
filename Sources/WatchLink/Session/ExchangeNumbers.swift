/// Numbers this side's interactive messages on one link, and checks the numbers of the peer's messages and replies.
struct ExchangeNumbers: BitwiseCopyable {
    enum Arrival {
        case first
        /// The reply is to an exchange that is not among the newest 32. This side no longer knows whether that exchange has a
        /// reply.
        case old
        /// The exchange has a reply already, or this side never began it.
        case unasked
    }

    private var asked: UInt32 = 0
    /// A bit for each of our newest 32 exchanges, set if the exchange has a reply. Bit 0 is the newest exchange.
    private var replied: UInt32 = 0
    private var heard: UInt32 = 0

    mutating func ask() -> UInt32 {
        asked &+= 1
        replied <<= 1
        return asked
    }

    /// Records a new exchange of the peer. Returns false, and changes nothing, if its number is not the next one.
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

/// Numbers this side's file transfers on one link, and checks the numbers in the peer's frames. It is not part of `Session`, so
/// that a device without file transfers needs no memory for it.
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
