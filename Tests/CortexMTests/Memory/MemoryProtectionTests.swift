import Testing

@testable import CortexM

/// What the memory protection unit guards, and the two stacks.
struct MemoryProtectionTests {
    private func map(guarding address: UInt32, control: UInt32 = 5) throws -> MemoryMap {
        var memory = MemoryMap(flash: [], ramSize: 4_096)
        try memory.store(UInt32(1), at: 0xE000_ED98)
        try memory.store(address, at: 0xE000_ED9C)
        // No access, 256 bytes, enabled.
        try memory.store(UInt32(1 << 28 | 7 << 1 | 1), at: 0xE000_EDA0)
        try memory.store(control, at: 0xE000_ED94)
        return memory
    }

    @Test func `a region without access is guarded, and nothing beside it`() throws {
        var memory = try map(guarding: 0x2000_0100)
        for address in [0x2000_0100, 0x2000_01FF] as [UInt32] {
            #expect(throws: Trap.forbidden(address)) { try memory.load(address, as: UInt8.self) }
            #expect(throws: Trap.forbidden(address)) { try memory.store(UInt8(1), at: address) }
        }
        #expect(throws: Trap.forbidden(0x2000_00FE)) { try memory.load(0x2000_00FE, as: UInt32.self) }
        for address in [0x2000_00FF, 0x2000_0200] as [UInt32] { try memory.store(UInt8(7), at: address) }
        #expect(try memory.load(0x2000_0200, as: UInt8.self) == 7)
    }

    @Test func `an access at the end of all addresses is one of nothing`() throws {
        var memory = try map(guarding: 0x2000_0100)
        for address in [0xFFFF_FFFC, 0xFFFF_FFFE, 0xFFFF_FFFF] as [UInt32] {
            #expect(throws: Trap.bus(address)) { try memory.load(address, as: UInt32.self) }
            #expect(throws: Trap.bus(address)) { try memory.store(UInt16(1), at: address) }
        }
    }

    @Test func `a unit that is off guards nothing`() throws {
        var memory = try map(guarding: 0x2000_0100, control: 0)
        try memory.store(UInt8(1), at: 0x2000_0100)
        memory = try map(guarding: 0x2000_0100)
        try memory.store(UInt32(0), at: 0xE000_ED94)
        try memory.store(UInt8(1), at: 0x2000_0100)
    }

    @Test func `its registers read as they were written`() throws {
        let memory = try map(guarding: 0x2000_0100)
        #expect(try memory.load(0xE000_ED90, as: UInt32.self) == 0x800)
        #expect(try memory.load(0xE000_ED9C, as: UInt32.self) == 0x2000_0101)
    }

    @Test func `a program goes over to the process stack and back`() throws {
        // MSR PSP, r0; MSR CONTROL, r1; MRS r3, MSP; MSR CONTROL, r2
        let words: [UInt16] = [0xF380, 0x8809, 0xF381, 0x8814, 0xF3EF, 0x8308, 0xF382, 0x8814]
        let flash = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        var processor = CortexM4(memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: 0x2000_0040)
        processor.registers[0] = 0x2000_0020
        processor.registers[1] = 2
        try processor.step()
        #expect(processor.register(13) == 0x2000_0040)
        try processor.step()
        #expect(processor.register(13) == 0x2000_0020)
        try processor.step()
        #expect(processor.register(3) == 0x2000_0040)
        try processor.step()
        #expect(processor.register(13) == 0x2000_0040)
    }
}
