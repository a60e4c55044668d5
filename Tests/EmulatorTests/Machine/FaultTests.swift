import Testing

@testable import Emulator

/// Faults, their registers and their escalation (Armv7-M Architecture Reference Manual, B1.5.14 and B3.2.15).
struct FaultTests {
    private static let back: [UInt16] = [0x4770]
    private static let enableAll: UInt32 = 7 << 16

    @Test(
        arguments: [
            // UDF; VADD without CPACR; BX to an even address; UDIV by 0; LDRD of an odd address.
            ([0xDE00], 6, 1 << 16), ([0xEE30, 0x0A81], 6, 1 << 19), ([0x4700], 6, 1 << 17),
            ([0xFBB0, 0xF1F0], 6, 1 << 25), ([0xE9D1, 0x2300], 6, 1 << 24),
            // LDR from an address without memory, which sets BFARVALID; a branch to peripherals.
            ([0x6811], 5, 1 << 9 | 1 << 15), ([0x4718], 4, 1 << 0),
        ] as [([UInt16], Int, UInt32)])
    func `a fault has its handler and its bit`(code: [UInt16], exception: Int, bits: UInt32) {
        for isEnabled in [true, false] {
            var bench = CoreBench(code + [0xE7FE])
            (bench.core.registers[1], bench.core.registers[2]) = (0x2000_0001, 0xA000_0000)
            bench.core.registers[3] = 0x4000_0001
            // DIV_0_TRP.
            bench.set(0xE000_ED14, 1 << 9 | 1 << 4)
            if isEnabled { bench.set(0xE000_ED24, Self.enableAll) }
            bench.expectArrival(at: CoreBench.handler(isEnabled ? exception : 3))
            #expect(bench.system(0xE000_ED28) == bits)
            // FORCED.
            #expect(bench.system(0xE000_ED2C) == (isEnabled ? 0 : 1 << 30))
            if bits & 1 << 15 != 0 { #expect(bench.system(0xE000_ED38) == 0xA000_0000) }
        }
    }

    @Test func `a fault repeats its instruction`() {
        // NOP; UDF
        var bench = CoreBench([0xBF00, 0xDE00])
        bench.expectArrival(at: CoreBench.handler(3))
        #expect(bench.frame(6) == CoreBench.main + 2)
    }

    @Test func `a fault in the handler of HardFault locks the core up`() {
        var bench = CoreBench([0xDE00], handlers: [3: [0xDE00]])
        #expect(bench.run(cycles: 100) == .reset(.lockup))
        #expect(bench.core.next == CoreBench.handler(3))
    }

    @Test func `an invalid EXC_RETURN is a usage fault`() {
        // The handler of SVC: SUBS lr, lr, #4; BX lr. It would return to Thread mode with bits 0101.
        var bench = CoreBench([0xDF00], handlers: [11: [0xF1BE, 0x0E04, 0x4770]])
        bench.set(0xE000_ED24, Self.enableAll)
        bench.expectArrival(at: CoreBench.handler(6))
        #expect(bench.system(0xE000_ED28) == 1 << 18)
        #expect(bench.core.register(13) == CoreBench.stack - 32)
    }

    @Test func `a stack that is no memory is a bus fault`() {
        var bench = CoreBench([0xDF00])
        bench.set(0xE000_ED24, Self.enableAll)
        bench.core.registers[13] = 0x3000_0000
        let stop = bench.run(cycles: 5)
        // STKERR. The handler of SVC, whose number is higher than that of BusFault, waits.
        #expect(stop == .cycle)
        #expect(bench.core.exceptionNumber == 5)
        #expect(bench.system(0xE000_ED28) == 1 << 12)
    }

    @Test func `a breakpoint is a HardFault, or stops the run`() {
        var bench = CoreBench([0xBE05])
        var stopping = bench
        bench.expectArrival(at: CoreBench.handler(3))
        #expect(bench.system(0xE000_ED2C) == 1 << 31)
        stopping.core.stopsAtBreakpoints = true
        #expect(stopping.run(cycles: 100) == .breakpoint(5))
    }

    @Test func `SYSRESETREQ ends the run, and the core begins again with its memory`() {
        // STR r0, [r6]
        var bench = CoreBench([0x6030, 0xE7FE])
        (bench.core.registers[0], bench.core.registers[6]) = (0x05FA_0004, 0xE000_ED0C)
        #expect(bench.core.memory.write(words: [7], at: 0x2000_0100) == true)
        #expect(bench.run(cycles: 100) == .reset(.software))
        let cycles = bench.core.cycles
        bench.core.restart()
        #expect(bench.core.next == CoreBench.main)
        #expect(bench.core.register(13) == CoreBench.stack)
        #expect(bench.core.cycles == cycles)
        #expect(bench.word(0x2000_0100) == 7)
        // The core's registers are 0, so the program does not request a reset again.
        #expect(bench.run(cycles: 1) == .cycle)
    }
}

/// The memory protection unit (Armv7-M Architecture Reference Manual, B3.5).
struct ProtectionRegionTests {
    private func unit(_ attributes: UInt32, control: UInt32) -> MemoryProtection {
        var unit = MemoryProtection()
        _ = unit.write(0x2000_0100 | 0x12, at: 0xE000_ED9C)
        _ = unit.write(attributes | 7 << 1 | 1, at: 0xE000_EDA0)
        _ = unit.write(control, at: 0xE000_ED94)
        return unit
    }

    // Table B3-15.
    @Test(
        arguments: [
            (0, "none", "none"), (1, "write", "none"), (2, "write", "read"), (3, "write", "write"), (4, "none", "none"),
            (5, "read", "none"), (6, "read", "read"), (7, "read", "read"),
        ] as [(UInt32, String, String)])
    func `a permission is for privileged programs and for others`(code: UInt32, privileged: String, other: String) {
        let unit = unit(code << 24, control: 5)
        for (isPrivileged, right) in [(true, privileged), (false, other)] {
            #expect(unit.allows(0x2000_0110, .read, isPrivileged: isPrivileged) == (right != "none"))
            #expect(unit.allows(0x2000_0110, .write, isPrivileged: isPrivileged) == (right == "write"))
            #expect(unit.allows(0x2000_0110, .execute, isPrivileged: isPrivileged) == (right != "none"))
        }
    }

    @Test func `a region may forbid to execute`() {
        #expect(!unit(3 << 24 | 1 << 28, control: 5).allows(0x2000_0110, .execute, isPrivileged: true))
    }

    @Test func `only privileged programs have the default map, if it is on`() {
        #expect(unit(0, control: 5).allows(0x2000_0200, .write, isPrivileged: true))
        #expect(!unit(0, control: 5).allows(0x2000_0200, .read, isPrivileged: false))
        #expect(!unit(0, control: 1).allows(0x2000_0200, .read, isPrivileged: true))
    }

    @Test func `a subregion that is off does not count`() {
        // The second of eight subregions of 32 bytes.
        let unit = unit(0 << 24 | 1 << 9, control: 5)
        #expect(!unit.allows(0x2000_011F, .read, isPrivileged: true))
        #expect(unit.allows(0x2000_0120, .read, isPrivileged: true))
        #expect(unit.allows(0x2000_013F, .read, isPrivileged: true))
        #expect(!unit.allows(0x2000_0140, .read, isPrivileged: true))
    }

    @Test func `the region with the highest number decides`() {
        var unit = unit(0, control: 5)
        _ = unit.write(0x2000_0100 | 0x13, at: 0xE000_ED9C)
        _ = unit.write(3 << 24 | 4 << 1 | 1, at: 0xE000_EDA0)
        #expect(unit.allows(0x2000_0100, .write, isPrivileged: false))
        #expect(!unit.allows(0x2000_0120, .write, isPrivileged: true))
    }

    @Test func `a load of a program that is not allowed is a fault with its address`() {
        // LDR r0, [r5]
        var bench = CoreBench([0x6828, 0xE7FE])
        bench.set(0xE000_ED24, 7 << 16)
        bench.set(0xE000_ED9C, 0x2000_0110)
        bench.set(0xE000_EDA0, 7 << 1 | 1)
        bench.set(0xE000_ED94, 5)
        bench.expectArrival(at: CoreBench.handler(4))
        #expect(bench.system(0xE000_ED28) == 1 << 1 | 1 << 7)
        #expect(bench.system(0xE000_ED34) == 0x2000_0100)
    }

    /// LDRT, LDRBT, LDRHT, LDRSBT, LDRSHT, STRT, STRBT and STRHT r0, [r5] (A7.7).
    private static let unprivileged: [UInt16] = [
        0xF855, 0xF815, 0xF835, 0xF915, 0xF935, 0xF845, 0xF805, 0xF825,
    ]

    @Test(arguments: unprivileged)
    func `an unprivileged access of a privileged program has the rights of other programs`(access: UInt16) {
        for (code, isAllowed) in [(1, false), (3, true)] as [(UInt32, Bool)] {
            // The access; LDR r1, [r4, #4], a register for privileged programs; B to itself
            var bench = CoreBench([access, 0x0E00, 0x6861, 0xE7FE])
            bench.set(0xE000_ED24, 7 << 16)
            bench.set(0xE000_ED9C, 0x2000_0110)
            bench.set(0xE000_EDA0, code << 24 | 7 << 1 | 1)
            bench.set(0xE000_ED94, 5)
            bench.expectArrival(at: isAllowed ? CoreBench.main + 6 : CoreBench.handler(4))
            #expect(bench.core.registers[1] == (isAllowed ? 1 : 0))
            #expect(bench.system(0xE000_ED34) == (isAllowed ? 0 : 0x2000_0100))
        }
    }

    @Test func `an unprivileged access does not reach the system's registers`() {
        // LDRT r0, [r4, #4]
        var bench = CoreBench([0xF854, 0x0E04, 0xE7FE])
        bench.set(0xE000_ED24, 7 << 16)
        bench.expectArrival(at: CoreBench.handler(5))
        #expect(bench.system(0xE000_ED38) == 0xE000_E004)
    }
}
