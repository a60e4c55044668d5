/// The registers PTR, MAXCNT, AMOUNT and LIST, at offsets 0, 4, 8 and 12. They describe a buffer in RAM that a peripheral reads
/// or writes without the core.
///
/// Source: nRF52832 Product Specification v1.4, chapter 10 (EasyDMA).
struct TransferBuffer: Equatable, Sendable {
    private(set) var pointer: UInt32 = 0
    /// MAXCNT: the size of the buffer, in bytes or in samples, depending on the peripheral.
    private(set) var limit: Int = 0
    var amount: Int = 0
    private var list: UInt32 = 0
    private let limitMask: UInt32

    /// - Parameter limitBits: the number of bits of MAXCNT.
    init(limitBits: UInt32 = 8) {
        limitMask = 1 &<< limitBits &- 1
    }

    func read(_ offset: UInt32) -> UInt32? {
        switch offset {
        case 0: pointer
        case 4: UInt32(limit)
        case 8: UInt32(amount)
        case 12: list
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32) -> Bool {
        switch offset {
        case 0: pointer = word
        case 4: limit = Int(word & limitMask)
        case 12: list = word
        case _: return false
        }
        return true
    }

    /// Ends a transfer. If LIST is not 0, PTR moves to the end of the buffer, where the next transfer begins.
    mutating func finish(_ amount: Int) {
        self.amount = amount
        if list != 0 { pointer &+= UInt32(limit) }
    }
}

extension MemoryMap {
    /// Returns the bytes that EasyDMA reads. EasyDMA reaches only RAM. If any byte is elsewhere, the function records a stray
    /// transfer and returns zeros.
    func transfer(from address: UInt32, count: Int, _ signals: inout Signals) -> [UInt8] {
        if count == 0 { return [] }
        guard address >= MemoryMap.ramStart, let bytes = bytes(at: address, count: count) else {
            signals.strayTransfer = address
            return [UInt8](repeating: 0, count: count)
        }
        return Array(bytes)
    }

    mutating func transfer(_ bytes: [UInt8], to address: UInt32, _ signals: inout Signals) {
        guard bytes.isEmpty || write(bytes, at: address) else {
            signals.strayTransfer = address
            return
        }
    }
}

/// The clock of 32,768 Hz. Its tick n is at the core's cycle n * 15,625 / 8.
enum LowFrequencyClock {
    static let frequency: UInt64 = 32_768

    static func cycle(ofTick tick: UInt64) -> UInt64 { tick &* 15_625 / 8 }
    /// The number of the last tick at or before this cycle.
    static func tick(at cycle: UInt64) -> UInt64 { (cycle &* 8 &+ 7) / 15_625 }
    /// The tick at which the RTC sees a write that the core makes in this cycle. It is 0.5 to 1.5 ticks after the write.
    static func tick(seeing cycle: UInt64) -> UInt64 { tick(at: cycle &+ 976) &+ 1 }
}

/// Lengths of time in cycles of the core, which runs at 64 MHz.
extension UInt64 {
    static func milliseconds(_ count: UInt64) -> UInt64 { count &* 64_000 }
    static func microseconds(_ count: UInt64) -> UInt64 { count &* 64 }
}
