/// A peripheral: a block of registers on the chip's bus. All times are in cycles of the core (64 MHz).
///
/// A peripheral raises its events and performs its own shortcuts. The chip passes the events to PPI, which triggers tasks of
/// other peripherals.
protocol Peripheral: Sendable {
    /// The next cycle at which the peripheral acts without an access; `.max` if there is none.
    var due: UInt64 { get }
    /// Whether an enabled event asserts the peripheral's interrupt line.
    var isInterrupting: Bool { get }

    /// Performs everything that is due up to and including the cycle `signals.now`.
    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals)

    /// Reads the register at `offset`, a multiple of 4. Returns nil if the register is not modelled.
    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32?

    /// Writes a register. A write of 1 to a task (0x000 to 0x07C) triggers the task. PPI triggers tasks by such writes. Returns
    /// false if the register or the written value is not modelled.
    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
}

extension Peripheral {
    var due: UInt64 { .max }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {}
}

protocol BoardPeripheral: Peripheral {
    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals, _ board: inout BoardDevices)
}

/// The present cycle, and what peripherals report to the chip: raised events, stray transfers, and the activity of buses and
/// radio.
struct Signals: Sendable {
    var now: UInt64
    /// The address of the instruction that accesses a register. The core sets it before each access.
    var programCounter: UInt32 = 0
    /// The start address of the last EasyDMA transfer that was not entirely in RAM. Nil after the chip has recorded that
    /// transfer, or if there was none.
    var strayTransfer: UInt32?
    /// When the buses and the radio were active; nil if that is not recorded.
    var work: [BusWork]?
    /// The register addresses of the events that peripherals have raised since the chip last handled events, in order of time.
    private(set) var raised: [UInt32] = []

    init(now: UInt64) {
        self.now = now
    }

    /// Records that a bus or the radio was active from `start` to `now`. Does nothing if `work` is nil.
    mutating func note(_ kind: BusWork.Kind, since start: UInt64) {
        if start < now { work?.append(BusWork(kind: kind, span: start..<now)) }
    }

    mutating func raise(_ eventRegister: UInt32) { raised.append(eventRegister) }

    mutating func forgetRaised() { raised.removeAll(keepingCapacity: true) }
}

package struct BusWork: Equatable, Sendable {
    package enum Kind: Sendable {
        case spi, twi, radio
    }

    package let kind: Kind
    package let span: Range<UInt64>
}

/// A peripheral's events (from 0x100), shortcuts (SHORTS at 0x200) and interrupts (INTEN at 0x300). Bit n of `occurred` and of
/// `enabled` is the event at 0x100 + 4n.
///
/// Source: nRF52832 Product Specification v1.4, chapter 15 (peripheral interface).
struct EventRegisters: Equatable, Sendable {
    private let base: UInt32
    private(set) var occurred: UInt32 = 0
    private(set) var enabled: UInt32 = 0
    private(set) var shortcuts: UInt32 = 0

    init(base: UInt32) {
        self.base = base
    }

    var isInterrupting: Bool { occurred & enabled != 0 }

    mutating func raise(_ event: Int, _ signals: inout Signals) {
        record(event)
        signals.raise(base &+ 0x100 &+ UInt32(event) &* 4)
    }

    /// Records an event without signalling it to PPI.
    mutating func record(_ event: Int) { occurred |= 1 &<< UInt32(event) }

    func hasShortcut(_ bit: Int) -> Bool { shortcuts &>> UInt32(bit) & 1 != 0 }

    func read(_ offset: UInt32) -> UInt32? {
        switch offset {
        case 0x100..<0x180: occurred &>> ((offset &- 0x100) / 4) & 1
        case 0x200: shortcuts
        case 0x300, 0x304, 0x308: enabled
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32) -> Bool {
        switch offset {
        case 0x100..<0x180:
            let bit: UInt32 = 1 &<< ((offset &- 0x100) / 4)
            if word & 1 == 0 { occurred &= ~bit } else { occurred |= bit }
        case 0x200: shortcuts = word
        case 0x300: enabled = word
        case 0x304: enabled |= word
        case 0x308: enabled &= ~word
        case _: return false
        }
        return true
    }
}
