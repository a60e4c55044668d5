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
    /// From here on all of RAM may be accessed: it lies behind what the memory protection unit guards.
    private var openFrom = 0

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
        /// To a register, to what the memory protection unit guards, or to nothing.
        case elsewhere
    }

    @inline(__always)
    private func place(_ address: UInt32, _ size: Int) -> Place {
        let offset = Int(address &- MemoryMap.ramStart)
        if offset &+ size <= ram.count {
            return offset >= openFrom || !isGuarded(address, size) ? .ram(offset) : .elsewhere
        }
        let place = Int(address &- flashStart)
        return place &+ size <= flash.count ? .flash(place) : .elsewhere
    }

    @inline(never)
    private func isGuarded(_ address: UInt32, _ size: Int) -> Bool {
        // Its last byte may lie behind the end of all addresses. No region is smaller than an access.
        let last = address &+ UInt32(size) &- 1
        return system.protection.guarded.contains { $0.contains(address) || $0.contains(last) }
    }

    /// Why an access goes nowhere.
    private func trap(_ address: UInt32, _ size: Int) -> Trap {
        isGuarded(address, size) ? .forbidden(address) : .bus(address)
    }

    /// Reads a number in the byte order of the part, lowest byte first.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        switch place(address, MemoryLayout<Number>.size) {
        case .ram(let offset): ram.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .flash(let offset): flash.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .elsewhere: try systemWord(address)
        }
    }

    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        guard case .ram(let offset) = place(address, MemoryLayout<Number>.size) else {
            guard MemoryLayout<Number>.size == 4 else { throw trap(address, MemoryLayout<Number>.size) }
            return try write(UInt32(truncatingIfNeeded: number), toSystem: address)
        }
        ram.withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: offset, as: Number.self) }
    }

    private func systemWord<Number: FixedWidthInteger>(_ address: UInt32) throws(Trap) -> Number {
        guard MemoryLayout<Number>.size == 4, let word = system.word(at: address) else {
            throw trap(address, MemoryLayout<Number>.size)
        }
        return Number(truncatingIfNeeded: word)
    }

    private mutating func write(_ word: UInt32, toSystem address: UInt32) throws(Trap) {
        guard system.write(word, at: address) else { throw trap(address, 4) }
        let guarded = system.protection.guarded.filter { $0.upperBound > MemoryMap.ramStart }
        openFrom = Int(guarded.map(\.upperBound).max().map { $0 - MemoryMap.ramStart } ?? 0)
    }

    /// The bytes of a part of RAM or flash, whoever may access it; nil where some of it is in neither.
    func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        let offset = Int(address &- MemoryMap.ramStart)
        if offset + count <= ram.count { return ram[offset..<offset + count] }
        let place = Int(address &- flashStart)
        return place + count <= flash.count ? flash[place..<place + count] : nil
    }

    /// Writes bytes to RAM; returns whether all of them have room there.
    mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        let offset = Int(address &- MemoryMap.ramStart)
        guard offset + bytes.count <= ram.count else { return false }
        ram.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return true
    }
}
