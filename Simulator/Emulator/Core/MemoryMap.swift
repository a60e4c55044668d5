/// The memory of a microcontroller: flash, and one or more areas of RAM.
///
/// It is a value type: a change of a copy does not change the original.
package struct MemoryMap: Equatable, Sendable {
    /// An area of RAM.
    struct RAM: Equatable, Sendable {
        let start: UInt32
        var bytes: [UInt8]
    }

    package static let ramStart: UInt32 = 0x2000_0000

    package private(set) var flash: [UInt8]
    let flashStart: UInt32
    /// The RAM area that holds the stack.
    package private(set) var ram: [UInt8]
    private let ramStart: UInt32
    private var others: [RAM]
    private(set) var system = SystemControl()
    /// An offset in `ram`. The memory protection unit guards no address from there on.
    private var openFrom = 0

    /// - Parameter flashStart: the first address of flash, which is even.
    init(flash: [UInt8], flashStart: UInt32, stack: RAM, others: [RAM]) {
        (self.flash, self.flashStart) = (flash, flashStart)
        (ram, ramStart) = (stack.bytes, stack.start)
        self.others = others
    }

    /// Creates flash from address 0, and `ramSize` bytes of RAM, all 0.
    package init(flash: [UInt8], ramSize: Int) {
        let ram = RAM(start: MemoryMap.ramStart, bytes: [UInt8](repeating: 0, count: ramSize))
        self.init(flash: flash, flashStart: 0, stack: ram, others: [])
    }

    private enum Place {
        case flash(Int)
        case ram(Int)
        /// Another area of RAM, a register, a guarded address, or an address without memory.
        case elsewhere
    }

    @inline(__always)
    private func place(_ address: UInt32, _ size: Int) -> Place {
        let offset = Int(address &- ramStart)
        if offset &+ size <= ram.count {
            return offset >= openFrom || !isGuarded(address, size) ? .ram(offset) : .elsewhere
        }
        let place = Int(address &- flashStart)
        return place &+ size <= flash.count ? .flash(place) : .elsewhere
    }

    @inline(__always)
    func isFlash(_ address: UInt32) -> Bool { Int(address &- flashStart) < flash.count }

    @inline(never)
    private func isGuarded(_ address: UInt32, _ size: Int) -> Bool {
        // The last byte may be past the highest address, and wrap to 0. No guarded region is smaller than an access, so its two
        // ends suffice.
        let last = address &+ UInt32(size) &- 1
        return system.protection.guarded.contains { $0.contains(address) || $0.contains(last) }
    }

    /// The trap for an access to an address without accessible memory.
    private func trap(_ address: UInt32, _ size: Int) -> Trap {
        isGuarded(address, size) ? .forbidden(address) : .bus(address)
    }

    /// Loads a little-endian number.
    @inline(__always)
    func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32, as type: Number.Type
    ) throws(Trap) -> Number {
        switch place(address, MemoryLayout<Number>.size) {
        case .ram(let offset): ram.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .flash(let offset): flash.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
        case .elsewhere: try loadElsewhere(address)
        }
    }

    @inline(__always)
    mutating func store<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        guard case .ram(let offset) = place(address, MemoryLayout<Number>.size) else {
            return try storeElsewhere(number, at: address)
        }
        ram.withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: offset, as: Number.self) }
    }

    @inline(never)
    private func loadElsewhere<Number: FixedWidthInteger & BitwiseCopyable>(
        _ address: UInt32
    ) throws(Trap) -> Number {
        let size = MemoryLayout<Number>.size
        if let (area, offset) = otherRAM(address, size) {
            return others[area].bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
        }
        guard size == 4, let word = system.word(at: address) else { throw trap(address, size) }
        return Number(truncatingIfNeeded: word)
    }

    @inline(never)
    private mutating func storeElsewhere<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        let size = MemoryLayout<Number>.size
        if let (area, offset) = otherRAM(address, size) {
            return others[area].bytes.withUnsafeMutableBytes {
                $0.storeBytes(of: number, toByteOffset: offset, as: Number.self)
            }
        }
        guard size == 4 else { throw trap(address, size) }
        try write(UInt32(truncatingIfNeeded: number), toSystem: address)
    }

    private func otherRAM(_ address: UInt32, _ size: Int) -> (area: Int, offset: Int)? {
        let area = others.firstIndex { Int(address &- $0.start) + size <= $0.bytes.count }
        guard let area, !isGuarded(address, size) else { return nil }
        return (area, Int(address - others[area].start))
    }

    private mutating func write(_ word: UInt32, toSystem address: UInt32) throws(Trap) {
        guard system.write(word, at: address) else { throw trap(address, 4) }
        let guarded = system.protection.guarded.filter { $0.upperBound > ramStart }
        openFrom = Int(guarded.map(\.upperBound).max().map { $0 - ramStart } ?? 0)
    }

    /// Reads bytes of flash or of the RAM with the stack, including guarded ones. Nil if any byte is outside both.
    package func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        let offset = Int(address &- ramStart)
        if offset + count <= ram.count { return ram[offset..<offset + count] }
        let place = Int(address &- flashStart)
        return place + count <= flash.count ? flash[place..<place + count] : nil
    }

    /// Loads a byte. Nil if the program cannot read it.
    package func byte(at address: UInt32) -> UInt8? { try? load(address, as: UInt8.self) }

    /// Loads a word. Nil if the program cannot read it.
    package func word(at address: UInt32) -> UInt32? { try? load(address, as: UInt32.self) }

    /// Writes bytes to the RAM with the stack. If they do not fit, writes none and returns false.
    package mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        let offset = Int(address &- ramStart)
        guard offset + bytes.count <= ram.count else { return false }
        ram.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return true
    }

    /// Writes little-endian words to the RAM with the stack. If they do not fit, writes none and returns false.
    package mutating func write(words: [UInt32], at address: UInt32) -> Bool {
        write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> (8 * $0)) } }, at: address)
    }
}

/// The registers of the system control space, from 0xE000_E000 (B3.2).
package struct SystemControl: Equatable, Sendable {
    /// CPACR (B3.2.20). The floating-point unit is off after a reset.
    private var coprocessorAccess: UInt32 = 0
    private(set) var protection = MemoryProtection()

    /// Whether privileged code may use the floating-point unit: the field of coprocessor 10 is 1 or 3.
    var allowsFloat: Bool { coprocessorAccess &>> 20 & 1 != 0 }

    /// Reads a register. Nil if the address has none.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case 0xE000_ED88: coprocessorAccess
        case 0xE000_ED90...0xE000_EDA0: protection.word(at: address)
        case _: nil
        }
    }

    /// Writes a register. Returns false if the address has none.
    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED88:
            coprocessorAccess = word & 0x00F0_0000
            return true
        case 0xE000_ED90...0xE000_EDA0: return protection.write(word, at: address)
        case _: return false
        }
    }
}

/// The cycle counter of the data watchpoint and trace unit (C1.8), and DEMCR, which switches that unit on (C1.6.5).
struct CycleRegisters: Equatable, Sendable {
    private enum Count: Equatable {
        case stopped(at: UInt32)
        /// The counter was 0 at this number of executed cycles.
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

    /// Reads a register. Nil if the address has none.
    func word(at address: UInt32, cycles: UInt64) -> UInt32? {
        switch address {
        case 0xE000_1000: control
        case 0xE000_1004: value(cycles)
        case 0xE000_EDFC: debugControl
        case _: nil
        }
    }

    /// Writes a register. Returns false if the address has none.
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

/// The memory protection unit (B3.5). The emulator enforces only enabled regions that forbid every access. It ignores other
/// regions and subregion bits.
struct MemoryProtection: Equatable, Sendable {
    private struct Region: Equatable, Sendable {
        var address: UInt32 = 0
        var attributes: UInt32 = 0

        /// The region's addresses if it is enabled and forbids every access, otherwise nil.
        var guarded: Range<UInt32>? {
            guard attributes & 1 != 0, attributes &>> 24 & 7 == 0 else { return nil }
            let size = UInt32(2) &<< (attributes &>> 1 & 31)
            let start = address & ~(size &- 1)
            return size == 0 || start &+ size < start ? nil : start..<start &+ size
        }
    }

    private var control: UInt32 = 0
    private var number: UInt32 = 0
    private var regions = [Region](repeating: Region(), count: 8)

    var guarded: [Range<UInt32>] { control & 1 == 0 ? [] : regions.compactMap(\.guarded) }

    func word(at address: UInt32) -> UInt32? {
        switch address {
        // MPU_TYPE says that the unit has eight regions.
        case 0xE000_ED90: 8 &<< 8
        case 0xE000_ED94: control
        case 0xE000_ED98: number
        case 0xE000_ED9C: regions[Int(number)].address | number
        case 0xE000_EDA0: regions[Int(number)].attributes
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED94: control = word & 7
        case 0xE000_ED98: number = word & 7
        case 0xE000_ED9C:
            // If bit 4 (VALID) is set, the word also selects the region.
            if word & 0x10 != 0 { number = word & 7 }
            regions[Int(number)].address = word & ~0x1F
        case 0xE000_EDA0: regions[Int(number)].attributes = word
        case _: return false
        }
        return true
    }
}
