@testable import Emulator

/// An nRF52832 with erased flash and 64 KB of RAM. The test accesses its registers in the place of a program.
struct PartBench {
    var memory = MemoryMap(flash: [UInt8](repeating: 0xFF, count: 16_384), ramSize: 65_536)
    var part = NRF52832(board: BoardDevices(), seed: 7)
    var now: UInt64 = 0

    static let ram: UInt32 = 0x2000_0000
    static let gpio: UInt32 = 0x5000_0000

    init() {
        part.advance(to: 0, &memory)
    }

    /// Reads a register. Returns nil if the access is a bus fault.
    mutating func read(_ address: UInt32) -> UInt32? { part.read(address, size: 4, at: now, &memory) }

    @discardableResult
    mutating func write(_ word: UInt32, _ address: UInt32) -> Bool {
        part.write(word, to: address, size: 4, at: now, &memory)
    }

    mutating func store(_ bytes: [UInt8]) { _ = memory.write(bytes, at: PartBench.ram) }

    mutating func wait(_ cycles: UInt64) {
        now += cycles
        part.advance(to: now, &memory)
    }

    /// Waits until an event register is set. Returns the cycles that this takes; nil if it takes longer than a second.
    mutating func cycles(upTo event: UInt32) -> UInt64? {
        let start = now
        while read(event) == 0 {
            guard part.due < start + 64_000_000 else { return nil }
            now = max(now, part.due)
            part.advance(to: now, &memory)
        }
        return now - start
    }

    /// Starts HFCLK and LFCLK from their crystals, and waits until LFCLK runs.
    mutating func startClocks() {
        write(1, 0x4000_0518)
        write(1, 0x4000_0008)
        write(1, 0x4000_0000)
        _ = cycles(upTo: 0x4000_0104)
    }
}

extension PartBench {
    mutating func receive(_ bytes: [UInt8]) { part.receiveSerial(bytes, at: now) }
}

extension NRF52832 {
    var busyUntil: UInt64 {
        var copy = self
        var memory = MemoryMap(flash: [], ramSize: 0)
        return copy.outlook(at: 0, &memory).busyUntil
    }
}
