/// The nRF52832 around the core: its peripherals, and the board and the air that they reach.
package struct NRF52832: Sendable {
    /// The devices on the board.
    package var board: BoardDevices
    /// The first cycle at which anything happens without an access; `.max` if there is none.
    private(set) var due: UInt64 = .max
    /// The interrupt lines that are asserted: bit n is interrupt n, from 0 to 38.
    private(set) var interrupts: UInt64 = 0
    /// The core executes nothing before this cycle, because the flash is being programmed or erased.
    private(set) var busyUntil: UInt64 = 0
    /// Whether the part was reset by its software, its watchdog or its pin since the last answer to that.
    var reset: ResetReason?

    package init(board: BoardDevices) {
        self.board = board
    }

    /// Acts up to and including a cycle.
    mutating func advance(to cycle: UInt64, _ memory: inout MemoryMap) {}

    /// Reads a register.
    ///
    /// - Parameter size: in bytes: 1, 2 or 4.
    /// - Returns: nil if nothing is at the address, which is a bus fault.
    mutating func read(_ address: UInt32, size: Int, at cycle: UInt64, _ memory: inout MemoryMap) -> UInt32? { nil }

    /// Writes a register, or a word of flash while NVMC allows it.
    ///
    /// - Returns: false if nothing is at the address, which is a bus fault.
    mutating func write(
        _ value: UInt32, to address: UInt32, size: Int, at cycle: UInt64, _ memory: inout MemoryMap
    ) -> Bool { false }
}

/// Why the part begins again (RESETREAS, Product Specification v1.4, section 18.8.9).
package enum ResetReason: Sendable {
    case pin, watchdog, software, lockup
}
