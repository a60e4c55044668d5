import Testing

@testable import Emulator

/// Priorities, masks and sleep (Armv7-M Architecture Reference Manual, B1.5.4 and B1.5.17 to B1.5.19).
struct InterruptTests {
    /// NOP; NOP; B to itself.
    private static let idle: [UInt16] = [0xBF00, 0xBF00, 0xE7FE]
    // BX lr
    private static let back: [UInt16] = [0x4770]

    private func bench(_ main: [UInt16] = idle, priorities: [UInt8] = []) -> CoreBench {
        let handlers = Dictionary(uniqueKeysWithValues: [2, 11, 14, 15, 16, 17, 18].map { ($0, Self.back) })
        var bench = CoreBench(main, handlers: handlers)
        bench.set(0xE000_E100, 0b111)
        bench.set(0xE000_E400, priorities.enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * $1.offset) })
        return bench
    }

    @Test func `handlers follow one another by priority, then by number`() {
        var bench = bench(priorities: [0x40, 0x20, 0x40])
        bench.set(0xE000_E200, 0b111)
        for interrupt in [1, 0, 2] {
            bench.expectArrival(at: CoreBench.handler(16 + interrupt))
            #expect(bench.core.register(13) == CoreBench.stack - 32)
        }
        bench.expectArrival(at: CoreBench.main)
    }

    @Test func `a higher priority preempts, an equal one waits`() {
        var bench = bench(priorities: [0x40, 0x20, 0x40])
        bench.set(0xE000_E200, 0b001)
        bench.expectArrival(at: CoreBench.handler(16))
        bench.set(0xE000_E200, 0b110)
        bench.expectArrival(at: CoreBench.handler(17))
        // The stack holds the frames of both handlers. EXC_RETURN: to Handler mode.
        #expect(bench.core.register(13) == CoreBench.stack - 64)
        #expect(bench.core.register(14) == 0xFFFF_FFF1)
        #expect(bench.system(0xE000_E300) == 0b011)
        bench.expectArrival(at: CoreBench.handler(18))
        #expect(bench.core.register(13) == CoreBench.stack - 32)
    }

    @Test func `bits below PRIGROUP do not preempt`() {
        var bench = bench(priorities: [0x60, 0x40, 0])
        // The highest two bits preempt: 0x60 and 0x40 are one group.
        bench.set(0xE000_ED0C, 0x05FA_0500)
        bench.set(0xE000_E200, 0b001)
        bench.expectArrival(at: CoreBench.handler(16))
        bench.set(0xE000_E200, 0b010)
        bench.expectArrival(at: CoreBench.handler(17))
        #expect(bench.core.register(13) == CoreBench.stack - 32)
    }

    @Test func `only the upper three bits of a priority exist`() {
        var bench = bench(priorities: [0xFF, 0x1F])
        #expect(bench.system(0xE000_E400) == 0x00E0)
        bench.set(0xE000_ED20, 0xFFFF_FFFF)
        // DebugMonitor, PendSV and SysTick.
        #expect(bench.system(0xE000_ED20) == 0xE0E0_00E0)
    }

    @Test(arguments: [(0x20, false), (0x40, false), (0x60, true), (0, true)] as [(UInt32, Bool)])
    func `BASEPRI masks its priority and lower ones`(mask: UInt32, isTaken: Bool) {
        // MSR BASEPRI, r0
        var bench = bench([0xF380, 0x8811] + Self.idle, priorities: [0x40])
        bench.core.registers[0] = mask
        bench.expectArrival(at: CoreBench.main + 4)
        bench.set(0xE000_E200, 1)
        bench.expectArrival(at: isTaken ? CoreBench.handler(16) : CoreBench.main + 6)
    }

    @Test func `an exception that arrives while the frame is pushed comes first`() {
        // SVC #0
        var bench = bench([0xDF00, 0xE7FE])
        bench.set(0xE000_ED1C, 0x40 << 24)
        // SysTick, six cycles after SVC has begun.
        bench.set(0xE000_E014, 5)
        bench.set(0xE000_E010, 3)
        bench.expectArrival(at: CoreBench.handler(15))
        #expect(bench.core.cycles == 13)
        #expect(bench.core.register(13) == CoreBench.stack - 32)
        #expect(bench.frame(6) == CoreBench.main + 2)
        bench.set(0xE000_E010, 0)
        bench.expectArrival(at: CoreBench.handler(11))
        #expect(bench.core.register(13) == CoreBench.stack - 32)
    }

    @Test func `a set interrupt wakes WFI in spite of PRIMASK, and is not taken`() {
        // CPSID i; WFI; NOP; B to itself
        var bench = bench([0xB672, 0xBF30, 0xBF00, 0xE7FE])
        #expect(bench.run(cycles: 1_000) == .cycle)
        #expect(bench.core.cycles == 1_000)
        // CPSID takes 2 cycles and WFI 1.
        #expect(bench.core.asleepCycles == 997)
        bench.set(0xE000_E200, 1)
        bench.expectArrival(at: CoreBench.main + 6)
        #expect(bench.core.asleepCycles == 997)
    }

    @Test func `with SEVONPEND a disabled interrupt wakes WFE`() {
        // CPSID i; WFE; NOP; B to itself
        var bench = bench([0xB672, 0xBF20, 0xBF00, 0xE7FE])
        bench.set(0xE000_E180, 0b111)
        bench.set(0xE000_ED10, 1 << 4)
        #expect(bench.run(cycles: 100) == .cycle)
        #expect(bench.core.next == CoreBench.main + 4)
        #expect(bench.core.asleepCycles > 0)
        bench.set(0xE000_E200, 1)
        bench.expectArrival(at: CoreBench.main + 6)
    }

    @Test func `SEV lets the next WFE pass, and no other one`() {
        // SEV; WFE; NOP; WFE; NOP
        var bench = bench([0xBF40, 0xBF20, 0xBF00, 0xBF20, 0xBF00])
        #expect(bench.run(cycles: 100) == .cycle)
        #expect(bench.core.next == CoreBench.main + 8)
    }

    @Test func `after the last handler the core sleeps if SCR says so`() {
        var bench = bench()
        bench.set(0xE000_ED10, 1 << 1)
        bench.set(0xE000_E200, 1)
        #expect(bench.run(cycles: 200) == .cycle)
        // An entry of 12 cycles, BX of 2 and a return of 9 more.
        #expect(bench.core.asleepCycles == 200 - 23)
    }

    @Test func `an interrupt in an IT block goes on with the rest of the block`() {
        // MOVS r0, #1; CMP r0, r0; ITT EQ; STREQ r0, [r6]; ADDEQ r7, #1; B to itself
        var bench = bench([0x2001, 0x4280, 0xBF04, 0x6030, 0x3701, 0xE7FE])
        bench.core.registers[6] = 0xE000_E200
        bench.expectArrival(at: CoreBench.handler(16))
        // The saved state of the IT block: one more instruction, executed if Z is set (0b00001000).
        #expect(bench.frame(7) & 0x0600_FC00 == 0x0800)
        #expect(bench.core.register(7) == 0)
        bench.expectArrival(at: CoreBench.main + 10)
        #expect(bench.core.register(7) == 1)
    }
}

/// SysTick (Armv7-M Architecture Reference Manual, B3.3).
struct SystemTickTests {
    @Test func `it reaches 0 every reload value plus 1, and says so once`() {
        var tick = SystemTick()
        tick.write(99, to: 0xE000_E014, at: 0)
        tick.write(3, to: 0xE000_E010, at: 10)
        #expect(tick.due == 110)
        #expect(tick.advance(to: 109) == false)
        #expect(tick.read(0xE000_E018, at: 109) == 1)
        #expect(tick.advance(to: 110) == true)
        #expect(tick.due == 210)
        #expect(tick.read(0xE000_E010, at: 111) == 7 | 1 << 16)
        #expect(tick.read(0xE000_E010, at: 112) == 7)
        // A late call reports the ticks at 210, 310 and 410 once. The next tick is still on time.
        #expect(tick.advance(to: 450) == true)
        #expect(tick.due == 510)
    }

    @Test func `a write of the value sets it to 0 without an exception`() {
        var tick = SystemTick()
        tick.write(99, to: 0xE000_E014, at: 0)
        tick.write(3, to: 0xE000_E010, at: 0)
        tick.write(5, to: 0xE000_E018, at: 50)
        #expect(tick.read(0xE000_E018, at: 50) == 0)
        #expect(tick.read(0xE000_E018, at: 51) == 99)
        #expect(tick.due == 150)
    }

    @Test func `it does not count while the core sleeps`() {
        // WFI; B to itself
        var bench = CoreBench([0xBF30, 0xE7FE], handlers: [15: [0x4770]])
        bench.set(0xE000_E014, 99)
        bench.set(0xE000_E010, 3)
        #expect(bench.run(cycles: 1_000) == .cycle)
        #expect(bench.core.next == CoreBench.main + 2)
        bench.core.ticksWhileAsleep = true
        bench.expectArrival(at: CoreBench.handler(15))
    }
}
