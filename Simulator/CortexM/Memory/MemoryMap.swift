/// The memory of a part: flash, and RAM from 0x2000_0000.
///
/// It is a value: a copy keeps what it had when the other one is written.
package struct MemoryMap: Equatable, Sendable {
    package static let ramStart: UInt32 = 0x2000_0000

    /// What a program has flashed: it is read and executed.
    package private(set) var flash: [UInt8]
    let flashStart: UInt32
    package private(set) var ram: [UInt8]
    private(set) var system = SystemControl()

    /// - Parameters:
    ///   - flash: its contents.
    ///   - flashStart: its first address, an even one.
    ///   - ram: its contents.
    package init(flash: [UInt8], flashStart: UInt32 = 0, ram: [UInt8]) {
        self.flash = flash
        self.flashStart = flashStart
        self.ram = ram
    }

    /// - Parameters:
    ///   - flash: its contents, from address 0.
    ///   - ramSize: bytes, all 0.
    package init(flash: [UInt8], ramSize: Int) {
        self.init(flash: flash, ram: [UInt8](repeating: 0, count: ramSize))
    }

    /// Where an access goes.
    private enum Place {
        case flash(Int)
        case ram(Int)
        case nowhere
    }

    @inline(__always)
    private func place(_ address: UInt32, _ size: Int) -> Place {
        let offset = Int(address &- MemoryMap.ramStart)
        if offset &+ size <= ram.count { return .ram(offset) }
        let place = Int(address &- flashStart)
        return place &+ size <= flash.count ? .flash(place) : .nowhere
    }

    /// Reads a number in the byte order of the part, lowest byte first.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        switch place(address, MemoryLayout<Number>.size) {
        case .ram(let offset): ram.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .flash(let offset): flash.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .nowhere: try systemWord(address)
        }
    }

    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        guard case .ram(let offset) = place(address, MemoryLayout<Number>.size) else {
            guard MemoryLayout<Number>.size == 4 else { throw .bus(address) }
            return try write(UInt32(truncatingIfNeeded: number), toSystem: address)
        }
        ram.withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: offset, as: Number.self) }
    }

    private func systemWord<Number: FixedWidthInteger>(_ address: UInt32) throws(Trap) -> Number {
        guard MemoryLayout<Number>.size == 4, let word = system.word(at: address) else { throw .bus(address) }
        return Number(truncatingIfNeeded: word)
    }

    private mutating func write(_ word: UInt32, toSystem address: UInt32) throws(Trap) {
        guard system.write(word, at: address) else { throw .bus(address) }
    }
}
