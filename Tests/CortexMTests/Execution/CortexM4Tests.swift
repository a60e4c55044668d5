import Testing

@testable import CortexM

struct CortexM4Tests {
    private func processor(_ code: [UInt16]) -> CortexM4 {
        let flash = code.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        return CortexM4(
            memory: MemoryMap(flash: flash, ramSize: 64), entry: 1, stack: MemoryMap.ramStart + 64)
    }

    @Test func aCopyGoesOnFromWhereItWasTaken() throws {
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
            // WFI, WFE, and their long forms: nobody knows for how long
            ([0xBF30], .waits(.interrupt)), ([0xBF20], .waits(.event)), ([0xF3AF, 0x8003], .waits(.interrupt)),
            ([0xF3AF, 0x8002], .waits(.event)),
            ([0x6000], .bus(0)), ([0xEE30, 0x0A81], .noCoprocessor),
        ] as [([UInt16], Trap)])
    func whatCannotBeExecutedTraps(_ code: [UInt16], _ trap: Trap) throws {
        var processor = processor(code)
        processor.registers[2] = .max
        processor.registers[3] = 0x2000_0001
        let before = processor
        #expect(throws: trap) { try processor.step() }
        #expect(processor.next == before.next)
        #expect(processor.instructions == 0)
    }

    @Test func aProgramInRAMIsReadAsItIs() throws {
        var processor = processor([0xBF00])
        processor.next = MemoryMap.ramStart
        // MOVS r0, #5
        try processor.memory.store(UInt16(0x2005), at: MemoryMap.ramStart)
        try processor.step()
        #expect(processor.registers[0] == 5)
    }
}
