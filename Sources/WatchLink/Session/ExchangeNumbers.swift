/// Numbers the exchanges on a link (interactive messages and their replies), in both directions.
struct ExchangeNumbers: BitwiseCopyable {
    /// How a reply fits the exchanges of this link.
    enum Arrival {
        /// The first reply to its exchange.
        case first
        /// A reply to an exchange that is not among the newest 32. This side no longer knows whether that exchange has a
        /// reply.
        case old
        /// A reply to an exchange that has a reply already, or that this side never began.
        case unasked
    }

    /// The number of our newest exchange.
    private var asked: UInt32 = 0
    /// Which of our newest exchanges have a reply: bit 0 is the newest.
    private var replied: UInt32 = 0
    /// The number of the peer's newest exchange.
    private var heard: UInt32 = 0

    mutating func ask() -> UInt32 {
        asked &+= 1
        replied <<= 1
        return asked
    }

    /// Takes the number of a new exchange of the peer. Returns whether it is the next number.
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

/// Numbers the file transfers on a link, in both directions. It is not part of `Session`, because a device that takes no
/// files has no room for it.
package struct FileNumbers: BitwiseCopyable, Sendable {
    /// The number of our newest transfer.
    private var offered: UInt32 = 0
    /// The number of the peer's newest transfer.
    private var heard: UInt32 = 0

    package init() {}

    package mutating func offer() -> UInt32 {
        offered &+= 1
        return offered
    }

    /// Takes the header of a frame that has arrived.
    ///
    /// - Returns: the peer's fault if the number is wrong, else nil.
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
