import Testing

@testable import Emulator

struct FlashWaitsTests {
    private static func waits(_ waitStates: UInt64, cached: Bool = false, for addresses: [UInt32]) -> UInt64 {
        var waits = FlashWaits(waitStates)
        waits.controlCache(cached ? 1 : 0)
        for address in addresses { waits.fetch(address) }
        return waits.cycles
    }

    @Test(
        "without a cache, the core waits each time the program comes to another line of 16 bytes",
        arguments: [(3, [0, 2, 14, 16, 0, 4], 9), (0, [0, 16, 32], 0)] as [(UInt64, [UInt32], UInt64)])
    func uncached(waitStates: UInt64, addresses: [UInt32], cycles: UInt64) {
        #expect(Self.waits(waitStates, for: addresses) == cycles)
    }

    @Test(
        "the cache waits once for a line, until two other lines of its set replace it",
        arguments: [
            // Lines of one set are 1,024 bytes apart.
            ([0, 1024, 0, 1024, 16, 0], 9), ([0, 1024, 2048, 1024], 9), ([0, 1024, 2048, 0], 12),
            ([0, 1024, 0, 2048, 0], 9),
        ] as [([UInt32], UInt64)])
    func cached(addresses: [UInt32], cycles: UInt64) {
        #expect(Self.waits(2, cached: true, for: addresses) == cycles)
    }

    @Test func `data in flash is waited for, data in RAM is not`() throws {
        var bench = CoreBench([0x6808, 0x6808], timing: timing)  // LDR r0, [r1], twice
        bench.core.registers[1] = 0
        try bench.core.step()
        // Two cycles to fetch the line, two for the load, and two to read the data.
        #expect(bench.core.cycles == 6)
        bench.core.registers[1] = CoreBench.stack
        try bench.core.step()
        // Two cycles for the load. It does not overlap with a load from another memory.
        #expect(bench.core.cycles == 8)
    }

    // MARK: NVMC

    private static let (config, erasePage): (UInt32, UInt32) = (0x4001_E504, 0x4001_E508)
    private static let (control, hits, misses): (UInt32, UInt32, UInt32) = (0x4001_E540, 0x4001_E548, 0x4001_E54C)
    private var timing: CoreTiming {
        var timing = CoreTiming.cortexM4
        timing.flashWaitStates = 2
        return timing
    }
    /// A loop over two flash lines of 16 bytes: eight NOP, then seven NOP and a branch to the first.
    private var loop: CoreBench {
        let line = [UInt16](repeating: 0xBF00, count: 7)
        return CoreBench(line + [0xBF00] + line + [0xE7EF], timing: timing)
    }

    private func round(_ bench: inout CoreBench) throws -> UInt64 {
        let before = bench.core.cycles
        for _ in 0..<16 { try bench.core.step() }
        #expect(bench.core.next == CoreBench.main)
        return bench.core.cycles - before
    }

    @Test("ICACHECNF switches the cache on and off")
    func switching() throws {
        var bench = loop
        let uncached = try round(&bench)
        #expect(uncached == 16 + 1 + 2 * 2)
        bench.set(Self.control, 1)
        #expect(bench.system(Self.control) == 1)
        #expect(try round(&bench) == 16 + 1 + 2 * 3)
        #expect(try round(&bench) == 16 + 1)
        bench.set(Self.control, 0)
        #expect(try round(&bench) == uncached)
        // The cache is empty after it was off.
        bench.set(Self.control, 1)
        #expect(try round(&bench) == 16 + 1 + 2 * 3)
    }

    @Test("a write and an erase of flash empty the cache", arguments: [true, false])
    func changes(isErase: Bool) throws {
        var bench = loop
        bench.set(Self.control, 1)
        _ = try round(&bench)
        bench.set(Self.config, isErase ? 2 : 1)
        bench.set(isErase ? Self.erasePage : 0x1800, isErase ? 0x1000 : 0)
        #expect(bench.run(cycles: 0) == .cycle)
        #expect(try round(&bench) == 16 + 1 + 2 * 3)
    }

    @Test("CACHEPROFEN counts the fetches of words that hit and miss")
    func profile() throws {
        var bench = loop
        bench.set(Self.control, 0x101)
        _ = try round(&bench)
        #expect(bench.system(Self.misses) == 2)
        #expect(bench.system(Self.hits) == 6)
        bench.set(Self.control, 1)
        _ = try round(&bench)
        #expect(bench.system(Self.hits) == 6)
    }

    @Test("a reset switches the cache off")
    func reset() throws {
        var bench = loop
        bench.set(Self.control, 0x101)
        _ = try round(&bench)
        bench.core.part?.reset = .software
        let now = bench.core.cycles
        bench.core.part?.restart(at: now)
        bench.core.restart()
        #expect(bench.system(Self.control) == 0)
        #expect(bench.system(Self.hits) == 0)
        _ = try round(&bench)
        #expect(try round(&bench) == 16 + 1 + 2 * 2)
    }
}
