import Testing

@testable import Emulator

struct CortexM4Tests {
    private func processor(_ code: [UInt16]) -> CortexM4 {
        let flash = code.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return CortexM4(
            memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: MemoryMap.ramStart + 64)
    }

    @Test func `a copy continues from where it was taken`() throws {
        // MOVS r0, #7; STR r0, [sp, #-4]!
        var processor = processor([0x2007, 0xF84D, 0x0D04])
        let before = processor
        try processor.step()
        try processor.step()
        #expect(processor.memory.ram[60] == 7)
        #expect(before.memory.ram[60] == 0)
        #expect(before.next == 0)
        processor = before
        try processor.step()
        #expect(processor.registers[0] == 7)
        #expect(processor.instructions == 1)
    }

    @Test(
        arguments: [
            ([0xDE00], Trap.undefined), ([0xBE2A], .breakpoint(42)), ([0xDF01], .supervisorCall(1)),
            // BX r0, of 0; LDR r1, [r2] of 0xFFFF_FFFF; LDRD r0, r1, [r3] of an odd address; STR r0, [r0]; VADD
            ([0x4700], .invalidState), ([0x6811], .bus(.max)), ([0xE9D3, 0x0100], .unaligned(0x2000_0001)),
            // VLDM r2, {s31, s32}; VMOV s31, s32, r1, r2: one register more than there are
            ([0xECD2, 0xFA02], .undefined), ([0xEC42, 0x1A3F], .undefined),
            // WFI, WFE, and their long forms: the length of the wait is unknown
            ([0xBF30], .waitsForInterrupt), ([0xBF20], .waitsForEvent), ([0xF3AF, 0x8003], .waitsForInterrupt),
            ([0xF3AF, 0x8002], .waitsForEvent),
            ([0x6000], .bus(0)), ([0xEE30, 0x0A81], .noCoprocessor),
        ] as [([UInt16], Trap)])
    func `an instruction that cannot be executed traps, and stays the next one`(
        _ code: [UInt16], _ trap: Trap
    ) throws {
        var processor = processor(code)
        processor.registers[2] = .max
        processor.registers[3] = 0x2000_0001
        let before = processor
        #expect(throws: trap) { try processor.step() }
        #expect(processor.next == before.next)
        #expect(processor.instructions == 0)
    }

    @Test func `a program in RAM is decoded when it is executed`() throws {
        var processor = processor([0xBF00])
        processor.next = MemoryMap.ramStart
        // MOVS r0, #5
        try processor.memory.store(UInt16(0x2005), at: MemoryMap.ramStart)
        try processor.step()
        #expect(processor.registers[0] == 5)
    }
}

/// The cycle counter of the data watchpoint and trace unit (DWT).
struct CycleRegistersTests {
    /// Executes `code`. Register 0 holds the address of DWT_CTRL, register 1 that of DEMCR. Register 6 is the bit
    /// CYCCNTENA for DWT_CTRL, register 7 the bit TRCENA for DEMCR. The counter runs while both bits are set.
    private func processor(_ code: [UInt16]) throws -> CortexM4 {
        let flash = code.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        var processor = CortexM4(memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: 0x2000_0040)
        processor.registers[0] = 0xE000_1000
        processor.registers[1] = 0xE000_EDFC
        processor.registers[6] = 1
        processor.registers[7] = 1 << 24
        for _ in code { try processor.step() }
        return processor
    }

    @Test func `It counts the cycles that are charged, from what was written`() throws {
        // STR r7, [r1]; STR r6, [r0]; STR r7, [r0, #4]; LDR r2, [r0, #4]; MUL r3, r7; LDR r4, [r0, #4]
        let processor = try processor([0x600F, 0x6006, 0x6047, 0x6842, 0x437B, 0x6844])
        // One cycle for the store.
        #expect(processor.registers[2] == 1 << 24 + 1)
        // Three cycles for the load after a store, and one for the multiplication.
        #expect(processor.registers[4] - processor.registers[2] == 4)
    }

    @Test func `It stands still until both bits are set, and when one is cleared`() throws {
        // STR r6, [r0]; LDR r2, [r0, #4]; STR r7, [r1]; STR r1, [r0, #4]; MOVS r3, #0; STR r3, [r0]; LDR r4, [r0, #4]; LDR r5, [r0]
        let processor = try processor([0x6006, 0x6842, 0x600F, 0x6041, 0x2300, 0x6003, 0x6844, 0x6805])
        #expect(processor.registers[2] == 0)
        // One cycle each for the store and the move.
        #expect(processor.registers[4] == 0xE000_EDFC + 2)
        // DWT_CTRL reports four comparators.
        #expect(processor.registers[5] == 4 << 28)
    }

    @Test func `Its registers are words`() throws {
        // LDRH r2, [r0, #4]; STRB r7, [r0]
        #expect(throws: Trap.bus(0xE000_1004)) { try processor([0x8882]) }
        #expect(throws: Trap.bus(0xE000_1000)) { try processor([0x7007]) }
    }
}

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
