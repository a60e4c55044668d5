/// The memory of a part: flash, and RAM in one or more areas.
///
/// It is a value: a copy does not change with the original.
package struct MemoryMap: Equatable, Sendable {
    /// An area of RAM without the stack.
    struct RAM: Equatable, Sendable {
        let start: UInt32
        var bytes: [UInt8]
    }

    package static let ramStart: UInt32 = 0x2000_0000

    package private(set) var flash: [UInt8]
    let flashStart: UInt32
    /// The RAM with the stack.
    package private(set) var ram: [UInt8]
    private let ramStart: UInt32
    private var others: [RAM]
    private(set) var system = SystemControl()
    /// The offset in RAM after all areas that the memory protection unit guards.
    private var openFrom = 0

    /// - Parameter flashStart: the first address of flash, an even one.
    init(flash: [UInt8], flashStart: UInt32, stack: RAM, others: [RAM]) {
        (self.flash, self.flashStart) = (flash, flashStart)
        (ram, ramStart) = (stack.bytes, stack.start)
        self.others = others
    }

    /// Flash from address 0, and RAM of `ramSize` bytes, all 0.
    package init(flash: [UInt8], ramSize: Int) {
        let ram = RAM(start: MemoryMap.ramStart, bytes: [UInt8](repeating: 0, count: ramSize))
        self.init(flash: flash, flashStart: 0, stack: ram, others: [])
    }

    private enum Place {
        case flash(Int)
        case ram(Int)
        /// Other RAM, a register, an area that the memory protection unit guards, or an unused address.
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
        // The last byte may wrap past the highest address. No region is smaller than an access.
        let last = address &+ UInt32(size) &- 1
        return system.protection.guarded.contains { $0.contains(address) || $0.contains(last) }
    }

    /// The trap of an access that reaches no memory.
    private func trap(_ address: UInt32, _ size: Int) -> Trap {
        isGuarded(address, size) ? .forbidden(address) : .bus(address)
    }

    /// Reads a little-endian number.
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

    /// Bytes of flash or of the RAM with the stack, including guarded ones; nil if some of them are in neither.
    package func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        let offset = Int(address &- ramStart)
        if offset + count <= ram.count { return ram[offset..<offset + count] }
        let place = Int(address &- flashStart)
        return place + count <= flash.count ? flash[place..<place + count] : nil
    }

    /// Nil if the program cannot read the byte.
    package func byte(at address: UInt32) -> UInt8? { try? load(address, as: UInt8.self) }

    /// Nil if the program cannot read the word.
    package func word(at address: UInt32) -> UInt32? { try? load(address, as: UInt32.self) }

    /// Writes bytes to the RAM with the stack, or none if they do not fit. Returns whether it wrote them.
    package mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        let offset = Int(address &- ramStart)
        guard offset + bytes.count <= ram.count else { return false }
        ram.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return true
    }

    /// The bytes of flash that were programmed or erased since the core last decoded them.
    var changedFlash: Range<Int>?

    /// Programs a word of flash, which can only clear bits. Returns false if flash has no such word.
    mutating func program(_ word: UInt32, at address: UInt32) -> Bool {
        let offset = Int(address &- flashStart)
        guard address & 3 == 0, offset + 4 <= flash.count else { return false }
        for byte in 0..<4 { flash[offset + byte] &= UInt8(truncatingIfNeeded: word &>> (8 * UInt32(byte))) }
        noteChange(of: offset..<offset + 4)
        return true
    }

    /// Sets all bits of a part of flash. Returns false if it is not all in flash.
    mutating func eraseFlash(at address: UInt32, count: Int) -> Bool {
        let offset = Int(address &- flashStart)
        guard offset + count <= flash.count else { return false }
        for index in offset..<offset + count { flash[index] = 0xFF }
        noteChange(of: offset..<offset + count)
        return true
    }

    private mutating func noteChange(of range: Range<Int>) {
        let earlier = changedFlash ?? range
        changedFlash = min(earlier.lowerBound, range.lowerBound)..<max(earlier.upperBound, range.upperBound)
    }

    /// Writes little-endian words to RAM, or none if they do not fit. Returns whether it wrote them.
    package mutating func write(words: [UInt32], at address: UInt32) -> Bool {
        write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> (8 * $0)) } }, at: address)
    }
}

/// The registers of the system control space, from 0xE000_E000 (B3.2).
package struct SystemControl: Equatable, Sendable {
    /// CPACR (B3.2.20). After a reset the floating-point unit is off.
    private var coprocessorAccess: UInt32 = 0
    private(set) var protection = MemoryProtection()

    /// Whether a privileged program may use the floating-point unit: the field of coprocessor 10 is 1 or 3.
    var allowsFloat: Bool { coprocessorAccess &>> 20 & 1 != 0 }

    /// Nil if no register is at the address.
    func word(at address: UInt32) -> UInt32? {
        switch address {
        case 0xE000_ED88: coprocessorAccess
        case 0xE000_ED90...0xE000_EDA0: protection.word(at: address)
        case _: nil
        }
    }

    /// Returns false if no register is at the address.
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

/// The cycle counter of the data watchpoint and trace unit (C1.8), and the register that switches the unit on (C1.6.5).
struct CycleRegisters: Equatable, Sendable {
    private enum Count: Equatable {
        case stopped(at: UInt32)
        /// It was 0 at this number of cycles.
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

    /// Nil if no register is at the address.
    func word(at address: UInt32, cycles: UInt64) -> UInt32? {
        switch address {
        case 0xE000_1000: control
        case 0xE000_1004: value(cycles)
        case 0xE000_EDFC: debugControl
        case _: nil
        }
    }

    /// Returns false if no register is at the address.
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

/// The memory protection unit (B3.5). It guards regions without any access, and ignores other regions and disabled subregions.
struct MemoryProtection: Equatable, Sendable {
    private struct Region: Equatable, Sendable {
        var address: UInt32 = 0
        var attributes: UInt32 = 0

        /// The addresses, if the region is enabled and its access permission is 0.
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
        // TYPE: eight regions.
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
            // If the field VALID is set, the word has the number of the region, too.
            if word & 0x10 != 0 { number = word & 7 }
            regions[Int(number)].address = word & ~0x1F
        case 0xE000_EDA0: regions[Int(number)].attributes = word
        case _: return false
        }
        return true
    }
}
