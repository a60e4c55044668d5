/// The numbers of the exchanges on a link, in both directions. Who has asked what is known to the shell.
struct ExchangeNumbers: BitwiseCopyable {
    /// What a reply is, by its number.
    enum Arrival {
        /// The first one to its exchange.
        case first
        /// One to an exchange of so long ago that it is not known whether there was one.
        case old
        /// One to an exchange that has one already, or that never was.
        case unasked
    }

    /// The newest number of ours.
    private var asked: UInt32 = 0
    /// Which of our newest exchanges have a reply: bit 0 is the newest.
    private var replied: UInt32 = 0
    /// The newest number of the peer's.
    private var heard: UInt32 = 0

    /// The number of a new exchange of ours.
    mutating func ask() -> UInt32 {
        asked &+= 1
        replied <<= 1
        return asked
    }

    /// Takes the number of an exchange of the peer's; returns whether it is the next.
    mutating func hear(_ number: UInt32) -> Bool {
        guard number == heard &+ 1 else { return false }
        heard = number
        return true
    }

    /// Takes the number of a reply.
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
