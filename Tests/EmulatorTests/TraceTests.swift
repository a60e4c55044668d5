import Testing
import Watch

@testable import Emulator

/// The instrumentation trace macrocell (Armv7-M Architecture Reference Manual, C1.7).
struct TraceTests {
    /// Returns a core with the program STR r0, [r6]; LDR r1, [r6]; B to itself. Register 6 holds the address of
    /// stimulus port 3.
    private func bench() -> CoreBench {
        var bench = CoreBench([0x6030, 0x6831, 0xE7FE])
        (bench.core.registers[0], bench.core.registers[6]) = (42, 0xE000_000C)
        return bench
    }

    @Test func `without a debugger a port ignores words and has no room`() {
        var bench = bench()
        #expect(bench.run(cycles: 100) == .cycle)
        #expect(bench.core.register(1) == 0)
        #expect(bench.system(0xE000_0E80) == 0)
    }

    @Test func `with a debugger each word ends a run behind its store`() {
        var bench = bench()
        bench.core.trace.attach()
        #expect(bench.system(0xE000_0E80) == 1)
        #expect(bench.run(cycles: 100) == .traced(TracedWord(port: 3, word: 42)))
        #expect(bench.core.next == CoreBench.main + 2)
        #expect(bench.run(cycles: 100) == .cycle)
        #expect(bench.core.register(1) == 1)
    }

    @Test func `a reset leaves the trace on`() {
        var bench = bench()
        bench.core.trace.attach()
        bench.core.restart()
        #expect(bench.system(0xE000_0E80) == 1)
    }
}

/// The words in UICR that select a handler. `HandlerSettings` says what each word means.
struct HandlerCompositionTests {
    @Test func `a handler as it is leaves everything but its index erased`() {
        #expect(HandlerComposition.own(handler: 2).words == [2] + [UInt32](repeating: .max, count: 9))
    }

    @Test func `a handler that reports clears one bit more`() {
        #expect(HandlerComposition.reported(handler: 0).words[HandlerSettings.options] == ~HandlerSettings.reports)
    }

    @Test func `chosen stages stand a byte each, the immediate ones first`() {
        let stages = [(4, StagePlacement.deferred), (1, .immediate), (3, .deferred), (0, .immediate), (7, .deferred)]
        let words = HandlerComposition.chosen(
            handler: 1, stages.map { HandlerComposition.ChosenStage(stage: $0.0, placement: $0.1) }
        ).words
        #expect(words[HandlerSettings.options] == 0x0302_FFFF)
        #expect(words[HandlerSettings.stages] == 0x0304_0001)
        #expect(words[HandlerSettings.stages + 1] == 0xFFFF_FF07)
    }
}
