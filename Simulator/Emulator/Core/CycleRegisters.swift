/// The cycle counter of the data watchpoint and trace unit (C1.8), and the register that switches the unit on (C1.6.5).
struct CycleRegisters: Equatable, Sendable {
    private enum Count: Equatable {
        case stopped(at: UInt32)
        /// The counter's value is the core's awake cycles minus `since`, modulo 2^32.
        case running(since: UInt32)
    }

    private static let comparators: UInt32 = 4 << 28
    private var control = comparators
    private var debugControl: UInt32 = 0
    private var count = Count.stopped(at: 0)

    private func value(_ cycles: UInt64) -> UInt32 {
        switch count {
        case .stopped(let value): value
        case .running(let start): UInt32(truncatingIfNeeded: cycles) &- start
        }
    }

    /// Returns the value of a register, or nil if no register is at the address.
    ///
    /// - Parameter cycles: how many cycles the core has been awake.
    func word(at address: UInt32, cycles: UInt64) -> UInt32? {
        switch address {
        case 0xE000_1000: control
        case 0xE000_1004: value(cycles)
        case 0xE000_EDFC: debugControl
        case _: nil
        }
    }

    /// Writes a register. Returns false if no register is at the address.
    ///
    /// - Parameter cycles: how many cycles the core has been awake.
    mutating func write(_ word: UInt32, at address: UInt32, cycles: UInt64) -> Bool {
        var value = value(cycles)
        switch address {
        case 0xE000_1000: control = CycleRegisters.comparators | word & 1
        case 0xE000_1004: value = word
        case 0xE000_EDFC: debugControl = word & 1 << 24
        case _: return false
        }
        let counts = control & 1 != 0 && debugControl != 0
        count = counts ? .running(since: UInt32(truncatingIfNeeded: cycles) &- value) : .stopped(at: value)
        return true
    }
}
