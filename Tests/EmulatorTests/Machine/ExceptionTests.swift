import Testing

@testable import Emulator

/// Entry and return of exceptions (Armv7-M Architecture Reference Manual, B1.5).
struct ExceptionTests {
    // SVC #7; NOP; B to itself.
    private static let call: [UInt16] = [0xDF07, 0xBF00, 0xE7FE]
    // BX lr
    private static let back: [UInt16] = [0x4770]

    @Test func `a supervisor call pushes eight words, and returns behind itself`() {
        var bench = CoreBench(Self.call, handlers: [11: Self.back])
        for number in [0, 1, 2, 3, 12, 14] { bench.core.registers[number] = UInt32(100 + number) }
        bench.expectArrival(at: CoreBench.handler(11))
        #expect(bench.core.exceptionNumber == 11)
        #expect(bench.core.register(13) == CoreBench.stack - 32)
        // EXC_RETURN: to Thread mode and the main stack, without floating-point registers.
        #expect(bench.core.register(14) == 0xFFFF_FFF9)
        #expect((0..<7).map { bench.frame($0) } == [100, 101, 102, 103, 112, 114, CoreBench.main + 2])
        #expect(bench.frame(7) == 1 << 24)
        bench.core.registers[0] = 5
        bench.expectArrival(at: CoreBench.main + 2)
        #expect(bench.core.exceptionNumber == 0)
        #expect(bench.core.register(0) == 100)
        #expect(bench.core.register(13) == CoreBench.stack)
    }

    @Test func `an entry takes 12 cycles, tail-chaining 6 and a return 10`() {
        // A pending interrupt 3 follows the supervisor call, which has the same priority and the lower number.
        var bench = CoreBench(Self.call, handlers: [11: Self.back, 19: Self.back])
        bench.set(0xE000_E100, 1 << 3)
        let start = bench.core.cycles
        bench.expectArrival(at: CoreBench.handler(11))
        // SVC takes 1 cycle.
        #expect(bench.core.cycles - start == 1 + 12)
        bench.set(0xE000_E200, 1 << 3)
        let chained = bench.core.cycles
        bench.expectArrival(at: CoreBench.handler(19))
        // BX takes 2.
        #expect(bench.core.cycles - chained == 2 + 6)
        let returned = bench.core.cycles
        bench.expectArrival(at: CoreBench.main + 2)
        #expect(bench.core.cycles - returned == 1 + 10)
    }
}
