import Testing

@testable import Emulator

/// The expected cycles are added up by hand. They are from the Technical Reference Manual (100166_0001_00, tables 3-1
/// and 7-1, section 3.3.2) and from the measurements that `CoreTiming` names.
struct CycleCounterTests {
    /// Executes `count` instructions from address 0, and returns their cycles. Registers 2 and 3 hold addresses in RAM,
    /// and register 4 holds 4. The link register holds the address after the program.
    private func cycles(_ count: Int, _ code: [UInt16], _ prepare: (inout CortexM4) throws -> Void = { _ in }) throws
        -> UInt64
    {
        let padding = [UInt16](repeating: 0xBF00, count: 8)
        let flash = (code + padding).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        var processor = CortexM4(
            memory: MemoryMap(flash: flash, ramSize: 1_024), entry: 1, stack: MemoryMap.ramStart + 512)
        processor.registers[2] = MemoryMap.ramStart
        processor.registers[3] = MemoryMap.ramStart + 64
        processor.registers[4] = 4
        processor.registers[14] = UInt32(code.count * 2) | 1
        try prepare(&processor)
        for _ in 0..<count { try processor.step() }
        return processor.cycles
    }

    @Test(
        arguments: [
            (
                "MOVS r0, #1; ADDS r0, r0, r4; MUL r0, r4; SMULL r0, r1, r4, r4", 4,
                [0x2001, 0x1900, 0x4360, 0xFB84, 0x0104], 4
            ),
            ("LDR r0, [r2]; LDR r1, [r2, #4], which overlap", 2, [0x6810, 0x6851], 3),
            ("ADDS r2, r2, r4; LDR r0, [r2], which waits for its address", 2, [0x1912, 0x6810], 4),
            ("ADDS r0, r0, r4; LDR r1, [r2]", 2, [0x1900, 0x6811], 3),
            ("STR r0, [r2, #4]", 1, [0x6050], 1),
            ("STR r0, [r2, r4]", 1, [0x5110], 2),
            ("LDR r0, [r2]; STR r0, [r3], which overlap", 2, [0x6810, 0x6018], 2),
            ("LDR r0, [r2]; STR r0, [r3, r4], which overlap", 2, [0x6810, 0x5118], 3),
            ("STR r0, [r2]; LDR r1, [r3], which waits for the store", 2, [0x6010, 0x6819], 4),
            ("LDR r0, [r2], #4; LDR r1, [r2], which waits for its address", 2, [0xF852, 0x0B04, 0x6811], 4),
            ("LDR r0, [pc]; LDR r1, [r2], of two memories", 2, [0x4800, 0x6811], 4),
            (
                "NOP; three MOVW that are not aligned to a word; MOVS", 5,
                [0xBF00, 0xF240, 0x0000, 0xF240, 0x0000, 0xF240, 0x0000, 0x2001], 6
            ),
            ("NOP; two of them; MOVS", 4, [0xBF00, 0xF240, 0x0000, 0xF240, 0x0000, 0x2001], 4),
            (
                "NOP; MOVW; B.W to a third that is not aligned, but in another row", 4,
                [0xBF00, 0xF240, 0x0000, 0xF000, 0xB802, 0xBF00, 0xBF00, 0xF240, 0x0000], 6
            ),
            ("PUSH {r0-r3}", 1, [0xB40F], 5),
            ("STRD r0, r1, [r2]", 1, [0xE9C2, 0x0100], 3),
            ("PUSH {r0, lr}; POP {r0, pc}", 2, [0xB501, 0xBD01], 3 + 6),
            ("B over one instruction", 1, [0xE000, 0xBF00], 2),
            ("CMP r4, r4; BNE; BEQ", 3, [0x42A4, 0xD100, 0xD000, 0xBF00], 1 + 1 + 2),
            ("BX lr", 1, [0x4770], 2),
            ("MOV pc, lr", 1, [0x46F7], 2),
            ("BX r4, after MOVS r4, #9", 2, [0x2409, 0x4720], 1 + 3),
            ("CBNZ r4; CBZ r4", 2, [0xB904, 0xBF00, 0xB104], 3 + 1),
            ("BL to MOVW at 6, which is not aligned to a word", 1, [0xF000, 0xF801, 0xBF00, 0xF240, 0x0000], 3),
            ("TBB [r2, r4]", 1, [0xE8D2, 0xF004], 6),
            (
                "CMP r4, r4; ITE EQ, which is folded; MOVEQ r0, #1; MOVNE r0, #2", 4, [0x42A4, 0xBF0C, 0x2001, 0x2002],
                3
            ),
            ("CMP.W r4, r4; ITE EQ; MOVEQ r0, #1; MOVNE r0, #2", 4, [0xEBB4, 0x0F04, 0xBF0C, 0x2001, 0x2002], 4),
        ] as [(String, Int, [UInt16], UInt64)])
    func `a sequence takes the cycles of the manual`(sequence: String, count: Int, code: [UInt16], sum: UInt64) throws {
        #expect(try cycles(count, code) == sum)
    }

    @Test func `a load whose address another one loads does not overlap with it`() throws {
        // LDR r0, [r2]; LDR r1, [r0]
        let pointer = try cycles(2, [0x6810, 0x6801]) {
            try $0.memory.store(MemoryMap.ramStart, at: MemoryMap.ramStart)
        }
        #expect(pointer == 4)
    }

    @Test func `a loaded program counter refills the pipeline`() throws {
        // LDR pc, [r2]
        #expect(try cycles(1, [0xF8D2, 0xF000]) { try $0.memory.store(UInt32(9), at: MemoryMap.ramStart) } == 5)
    }

    @Test(
        arguments: [
            (0, 7, 2), (7, 0, 2), (4, 9, 3), (9, 9, 5), (0x7F, 8, 5), (0x80, 8, 6), (.max, 1, 12),
        ] as [(UInt32, UInt32, UInt64)])
    func `a division's cycles depend on the lengths of its operands`(dividend: UInt32, divisor: UInt32, sum: UInt64)
        throws
    {
        let unsigned = try cycles(1, [0xFBB0, 0xF0F4]) { ($0.registers[0], $0.registers[4]) = (dividend, divisor) }
        #expect(unsigned == sum)
        guard dividend < .max else { return }
        // SDIV r0, r0, r4, with the negated dividend.
        let signed = try cycles(1, [0xFB90, 0xF0F4]) {
            ($0.registers[0], $0.registers[4]) = (0 &- dividend, divisor)
        }
        #expect(signed == sum)
    }

    @Test(
        arguments: [
            ("VADD s0, s1, s2", [0xEE30, 0x0A81], 1), ("VFMA", [0xEEA0, 0x0A81], 3), ("VDIV", [0xEE80, 0x0A81], 14),
            ("VSQRT s0, s1", [0xEEB1, 0x0AE0], 14), ("VLDR s0, [r2]", [0xED92, 0x0A00], 2),
        ] as [(String, [UInt16], UInt64)])
    func `a floating-point instruction takes the cycles of the table`(name: String, code: [UInt16], sum: UInt64) throws
    {
        #expect(try cycles(1, code) { try $0.memory.store(UInt32(0xF0_0000), at: 0xE000_ED88) } == sum)
    }
}
