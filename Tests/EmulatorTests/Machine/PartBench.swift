@testable import Emulator

/// A part with erased flash and 64 KB of RAM, whose program only accesses registers.
struct PartBench {
    var memory = MemoryMap(flash: [UInt8](repeating: 0xFF, count: 16_384), ramSize: 65_536)
    var part = NRF52832(board: BoardDevices(), seed: 7)
    /// The core's cycle.
    var now: UInt64 = 0

    static let ram: UInt32 = 0x2000_0000
    static let gpio: UInt32 = 0x5000_0000

    init() {
        part.advance(to: 0, &memory)
    }

    /// Nil after a bus fault.
    mutating func read(_ address: UInt32) -> UInt32? { part.read(address, size: 4, at: now, &memory) }

    @discardableResult
    mutating func write(_ word: UInt32, _ address: UInt32) -> Bool {
        part.write(word, to: address, size: 4, at: now, &memory)
    }

    /// Puts bytes at the beginning of RAM.
    mutating func store(_ bytes: [UInt8]) { _ = memory.write(bytes, at: PartBench.ram) }

    /// Lets a time pass, in cycles.
    mutating func wait(_ cycles: UInt64) {
        now += cycles
        part.advance(to: now, &memory)
    }

    /// The cycles up to an event; nil if it does not come within a second.
    mutating func cycles(upTo event: UInt32) -> UInt64? {
        let start = now
        while read(event) == 0 {
            guard part.due < start + 64_000_000 else { return nil }
            now = max(now, part.due)
            part.advance(to: now, &memory)
        }
        return now - start
    }

    /// Starts LFCLK from the crystal, and the crystal of HFCLK.
    mutating func startClocks() {
        write(1, 0x4000_0518)
        write(1, 0x4000_0008)
        write(1, 0x4000_0000)
        _ = cycles(upTo: 0x4000_0104)
    }
}

extension PartBench {
    /// The other end of the serial line sends bytes.
    mutating func receive(_ bytes: [UInt8]) { part.receiveSerial(bytes, at: now) }
}

extension NRF52832 {
    /// The core executes nothing before this cycle.
    var busyUntil: UInt64 {
        var copy = self
        var memory = MemoryMap(flash: [], ramSize: 0)
        return copy.outlook(at: 0, &memory).busyUntil
    }
}
