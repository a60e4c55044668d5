/// The memory of a microcontroller: flash, and one or more areas of RAM.
package struct MemoryMap: Equatable, Sendable {
    struct RAM: Equatable, Sendable {
        let start: UInt32
        var bytes: [UInt8]
    }

    package static let ramStart: UInt32 = 0x2000_0000

    package private(set) var flash: [UInt8]
    let flashStart: UInt32
    /// The area of RAM that contains the stack.
    package private(set) var ram: [UInt8]
    private let ramStart: UInt32
    private var others: [RAM]
    private(set) var system = SystemControl()
    /// The range of offsets in `ram` that the program may read and write without a check of alignment, memory protection and
    /// watchpoints. It excludes `openEnd`.
    private var (openFrom, openEnd) = (0, 0)
    /// The size of flash if the program may read and execute flash without a check of alignment, memory protection and
    /// watchpoints, otherwise 0.
    private(set) var openFlash = 0
    /// Whether accesses are privileged, and whether the memory protection unit applies to them. LDRT and STRT are unprivileged.
    private(set) var (isPrivileged, isProtected) = (true, true)
    var trapsUnaligned = false {
        didSet { examine() }
    }
    package var watchpoints: [Watchpoint] = [] {
        didSet { examine() }
    }

    /// - Parameters:
    ///   - flashStart: the first address of flash, which is even.
    ///   - stack: the area of RAM that contains the stack.
    init(flash: [UInt8], flashStart: UInt32, stack: RAM, others: [RAM]) {
        (self.flash, self.flashStart) = (flash, flashStart)
        (ram, ramStart) = (stack.bytes, stack.start)
        self.others = others
        examine()
    }

    /// Creates flash at address 0, and `ramSize` bytes of RAM at 0x2000_0000. All bytes of RAM are 0.
    package init(flash: [UInt8], ramSize: Int) {
        let ram = RAM(start: MemoryMap.ramStart, bytes: [UInt8](repeating: 0, count: ramSize))
        self.init(flash: flash, flashStart: 0, stack: ram, others: [])
    }

    private enum Place {
        case flash(Int)
        case ram(Int)
        /// Any other address: another area of RAM, a register, memory that needs a check, or no memory.
        case elsewhere
    }

    @inline(__always)
    private func place(_ address: UInt32, _ size: Int) -> Place {
        let offset = Int(address &- ramStart)
        if offset &+ size <= openEnd, offset >= openFrom { return .ram(offset) }
        let place = Int(address &- flashStart)
        return place &+ size <= openFlash ? .flash(place) : .elsewhere
    }

    @inline(__always)
    func isFlash(_ address: UInt32) -> Bool { Int(address &- flashStart) < flash.count }

    @inline(__always)
    func opensFlash(_ address: UInt32) -> Bool { Int(address &- flashStart) < openFlash }

    /// Reads an exception vector from flash or from `ram`, without a check of memory protection. Returns nil if the address is
    /// in neither.
    func vector(at address: UInt32) -> UInt32? {
        bytes(at: address, count: 4)?.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }

    mutating func resetSystem() {
        system = SystemControl()
        (isPrivileged, isProtected, trapsUnaligned) = (true, true, false)
        examine()
    }

    private mutating func examine() {
        (openFrom, openEnd, openFlash) = (0, ram.count, flash.count)
        let protection = system.protection
        guard watchpoints.isEmpty, !trapsUnaligned else { return (openEnd, openFlash) = (0, 0) }
        guard isProtected, protection.isOn else { return }
        let area = ramStart..<ramStart + UInt32(ram.count)
        let open = protection.openAddress(in: area, isPrivileged: isPrivileged, [.read, .write])
        openFrom = open.map { Int($0 - ramStart) } ?? 0
        openEnd = open == nil ? 0 : ram.count
        let code = flashStart..<flashStart + UInt32(flash.count)
        let openCode = protection.openAddress(in: code, isPrivileged: isPrivileged, [.read, .execute])
        if openCode != flashStart { openFlash = 0 }
    }

    mutating func protect(isPrivileged: Bool, isFaultPriority: Bool) {
        let isProtected = !isFaultPriority || system.protection.coversFaults
        guard (isPrivileged, isProtected) != (self.isPrivileged, self.isProtected) else { return }
        (self.isPrivileged, self.isProtected) = (isPrivileged, isProtected)
        examine()
    }

    func allows(_ address: UInt32, _ size: Int, _ access: MemoryProtection.Access) -> Bool {
        guard isProtected else { return true }
        // Checks the first and the last byte, because no region is smaller than an access. The addition may wrap around to 0.
        let last = address &+ UInt32(size) &- 1
        return system.protection.allows(address, access, isPrivileged: isPrivileged)
            && system.protection.allows(last, access, isPrivileged: isPrivileged)
    }

    private func check(_ address: UInt32, _ size: Int, _ access: MemoryProtection.Access) throws(Trap) {
        if trapsUnaligned, address & UInt32(size - 1) != 0 { throw .unaligned(address) }
        guard allows(address, size, access) else { throw .forbidden(address) }
        for watch in watchpoints where watch.isHit(address, size, access) { throw .watched(address) }
    }

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
        try check(address, size, .read)
        if let bytes = bytes(at: address, count: size) {
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
        }
        if let (area, offset) = otherRAM(address, size) {
            return others[area].bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
        }
        guard size == 4, isPrivileged, let word = system.word(at: address) else { throw .bus(address) }
        return Number(truncatingIfNeeded: word)
    }

    @inline(never)
    private mutating func storeElsewhere<Number: FixedWidthInteger & BitwiseCopyable>(
        _ number: Number, at address: UInt32
    ) throws(Trap) {
        let size = MemoryLayout<Number>.size
        try check(address, size, .write)
        let offset = Int(address &- ramStart)
        if offset + size <= ram.count {
            return ram.withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: offset, as: Number.self) }
        }
        if let (area, offset) = otherRAM(address, size) {
            return others[area].bytes.withUnsafeMutableBytes {
                $0.storeBytes(of: number, toByteOffset: offset, as: Number.self)
            }
        }
        guard size == 4, isPrivileged, system.write(UInt32(truncatingIfNeeded: number), at: address) else {
            throw .bus(address)
        }
        examine()
    }

    private func otherRAM(_ address: UInt32, _ size: Int) -> (area: Int, offset: Int)? {
        others.firstIndex { Int(address &- $0.start) + size <= $0.bytes.count }
            .map { ($0, Int(address - others[$0].start)) }
    }

    /// Reads bytes, without a check of memory protection or watchpoints. Returns nil unless all bytes are in flash, or all are
    /// in `ram`.
    package func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        let offset = Int(address &- ramStart)
        if offset + count <= ram.count { return ram[offset..<offset + count] }
        let place = Int(address &- flashStart)
        return place + count <= flash.count ? flash[place..<place + count] : nil
    }

    package func byte(at address: UInt32) -> UInt8? { try? load(address, as: UInt8.self) }

    package func word(at address: UInt32) -> UInt32? { try? load(address, as: UInt32.self) }

    /// Writes bytes to `ram`. Returns false, and writes nothing, if they do not all fit.
    package mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        let offset = Int(address &- ramStart)
        guard offset + bytes.count <= ram.count else { return false }
        ram.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return true
    }

    /// The range of offsets in flash that contains every byte programmed or erased since the core last decoded flash. Nil if
    /// there was no change.
    var changedFlash: Range<Int>?

    /// Programs a word of flash: clears each bit that is 0 in `word`, and sets none. Returns false unless `address` is the
    /// address of an aligned word in flash.
    mutating func program(_ word: UInt32, at address: UInt32) -> Bool {
        let offset = Int(address &- flashStart)
        guard address & 3 == 0, offset + 4 <= flash.count else { return false }
        for byte in 0..<4 { flash[offset + byte] &= UInt8(truncatingIfNeeded: word &>> (8 * UInt32(byte))) }
        noteChange(of: offset..<offset + 4)
        return true
    }

    /// Sets all bits in a range of flash. Returns false, and changes nothing, if the range goes beyond flash.
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

    /// Writes words to `ram` in little-endian order. Returns false, and writes nothing, if they do not all fit.
    package mutating func write(words: [UInt32], at address: UInt32) -> Bool {
        write(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> (8 * $0)) } }, at: address)
    }
}

/// A debugger's watchpoint. The machine stops before an access of this `kind` to one of these `addresses`.
package struct Watchpoint: Hashable, Sendable {
    package enum Kind: Sendable {
        case read, write, access
    }

    package var addresses: ClosedRange<UInt32>
    package var kind: Kind

    package init(addresses: ClosedRange<UInt32>, kind: Kind) {
        self.addresses = addresses
        self.kind = kind
    }

    func isHit(_ address: UInt32, _ size: Int, _ access: MemoryProtection.Access) -> Bool {
        let isWatched =
            switch access {
            case .read: kind != .write
            case .write: kind != .read
            case .execute: false
            }
        let last = address.addingReportingOverflow(UInt32(size) - 1)
        return isWatched && addresses.overlaps(address...(last.overflow ? .max : last.partialValue))
    }
}

/// The registers of the system control space (B3.2) that the memory map implements: CPACR and the memory protection unit.
package struct SystemControl: Equatable, Sendable {
    /// CPACR (B3.2.20). The floating-point unit is off after a reset.
    private var coprocessorAccess: UInt32 = 0
    private(set) var protection = MemoryProtection()

    /// Whether a program may use the floating-point unit. The CP10 field of CPACR allows it for all programs (3) or only for
    /// privileged programs (1).
    func allowsFloat(isPrivileged: Bool) -> Bool {
        coprocessorAccess &>> 20 & 1 != 0 && (isPrivileged || coprocessorAccess &>> 21 & 1 != 0)
    }

    func word(at address: UInt32) -> UInt32? {
        switch address {
        case 0xE000_ED88: coprocessorAccess
        case 0xE000_ED90...0xE000_EDB8: protection.word(at: address)
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, at address: UInt32) -> Bool {
        switch address {
        case 0xE000_ED88:
            coprocessorAccess = word & 0x00F0_0000
            return true
        case 0xE000_ED90...0xE000_EDB8: return protection.write(word, at: address)
        case _: return false
        }
    }
}
