import Testing

@testable import Emulator

struct RunTests {
    @Test func `a run ends at the first instruction that reaches its cycle`() {
        // B to itself takes 2 cycles.
        var bench = CoreBench([0xE7FE])
        #expect(bench.run(cycles: 101) == .cycle)
        #expect(bench.core.cycles == 102)
    }

    @Test func `a run from a stop goes on behind it`() {
        // ADDS r0, #1; B back to ADDS
        var bench = CoreBench([0x3001, 0xE7FD])
        for round in 1...3 as ClosedRange<UInt32> {
            bench.expectArrival(at: CoreBench.main)
            #expect(bench.core.register(0) == round)
        }
    }

    @Test func `a watched access stops before it, and goes on`() {
        // STRB r0, [r5, #2]; LDR r0, [r5]; B to itself
        var bench = CoreBench([0x70A8, 0x6828, 0xE7FE])
        bench.core.registers[0] = 9
        bench.core.memory.watchpoints = [Watchpoint(addresses: 0x2000_0102...0x2000_0102, kind: .write)]
        // The first instruction of a run is not watched.
        #expect(bench.run(cycles: 10) == .cycle)
        var again = CoreBench([0xBF00, 0x70A8, 0x6828, 0xE7FE])
        again.core.memory.watchpoints = [Watchpoint(addresses: 0x2000_0102...0x2000_0102, kind: .write)]
        #expect(again.run(cycles: 10) == .watchpoint(0x2000_0102))
        #expect(again.core.next == CoreBench.main + 2)
        #expect(again.run(cycles: 10) == .cycle)
        again = CoreBench([0xBF00, 0x70A8, 0x6828, 0xE7FE])
        again.core.memory.watchpoints = [Watchpoint(addresses: 0x2000_0102...0x2000_0103, kind: .read)]
        // The access is to a word that contains the watched bytes.
        #expect(again.run(cycles: 10) == .watchpoint(0x2000_0100))
    }

    @Test func `flash that was programmed is decoded again`() {
        // NOP, NOP; B to itself
        var bench = CoreBench([0xBF00, 0xBF00, 0xBFFF, 0xE7FE])
        // Clears bits of the third instruction: NOP again.
        #expect(bench.core.memory.program(0xE7FE_BF00, at: CoreBench.main + 4) == true)
        bench.expectArrival(at: CoreBench.main + 6)
        #expect(bench.core.ifThen == 0)
    }

    @Test func `a copy of a core keeps its own stops`() {
        var bench = CoreBench([0xBF00, 0xBF00, 0xE7FE])
        let copy = bench
        bench.core.stops = [CoreBench.main + 2]
        var other = copy
        #expect(other.run(cycles: 10) == .cycle)
        bench.expectArrival(at: CoreBench.main + 2)
    }
}

/// Floating-point registers in exceptions (Armv7-M Architecture Reference Manual, B1.5.7).
struct FloatContextTests {
    // VMOV s0, r0; SVC #0; B to itself. The handler: NOP; VMOV s0, r1; BX lr
    private func bench(control: UInt32) -> CoreBench {
        var bench = CoreBench([0xEE00, 0x0A10, 0xDF00, 0xE7FE], handlers: [11: [0xBF00, 0xEE00, 0x1A10, 0x4770]])
        bench.set(0xE000_ED88, 0xF << 20)
        bench.set(0xE000_EF34, control)
        bench.core.registers[0] = 0x3F80_0000
        return bench
    }

    private static let frame = CoreBench.stack - 0x68

    @Test func `registers are saved when a handler uses the unit`() {
        var bench = bench(control: 0xC000_0000)
        bench.expectArrival(at: CoreBench.main + 4)
        let start = bench.core.cycles
        bench.expectArrival(at: CoreBench.handler(11))
        // SVC takes 1 cycle.
        #expect(bench.core.cycles - start == 1 + 12)
        #expect(bench.core.register(14) == 0xFFFF_FFE9)
        #expect(bench.core.register(13) == Self.frame)
        #expect(bench.system(0xE000_EF38) == Self.frame + 0x20)
        #expect(bench.system(0xE000_EF34) & 1 == 1)
        #expect(bench.word(Self.frame + 0x20) == 0)
        let before = bench.core.cycles
        bench.expectArrival(at: CoreBench.handler(11) + 6)
        // NOP, VMOV, and the 17 words that the core saves.
        #expect(bench.core.cycles - before == 1 + 1 + 17)
        #expect(bench.word(Self.frame + 0x20) == 0x3F80_0000)
        #expect(bench.system(0xE000_EF34) & 1 == 0)
        bench.expectArrival(at: CoreBench.main + 6)
        #expect(bench.core.numbers[0] == 0x3F80_0000)
    }

    @Test func `without LSPEN an entry saves them, and takes 17 cycles more`() {
        var bench = bench(control: 0x8000_0000)
        bench.expectArrival(at: CoreBench.main + 4)
        let start = bench.core.cycles
        bench.expectArrival(at: CoreBench.handler(11))
        #expect(bench.core.cycles - start == 1 + 29)
        #expect(bench.word(Self.frame + 0x20) == 0x3F80_0000)
    }

    @Test func `a program that does not use the unit has a short frame`() {
        var bench = CoreBench([0xDF00], handlers: [11: [0x4770]])
        bench.set(0xE000_ED88, 0xF << 20)
        bench.expectArrival(at: CoreBench.handler(11))
        #expect(bench.core.register(13) == CoreBench.stack - 0x20)
    }
}
