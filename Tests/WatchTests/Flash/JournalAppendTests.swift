import DeviceModel
import DeviceModelTesting
import SeededNumbers
import Testing
import WatchLink

@testable import Watch

struct JournalAppendTests {
    private func note(_ number: UInt8, _ count: Int) -> Notebook.Change {
        Notebook.Change(kind: Notebook.write, payload: [number] + (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test(arguments: [0, 1, 7, 8, 200, 480, 511])
    func `A record is there after a restart as soon as append has returned`(count: Int) throws {
        var bench = JournalBench(MemoryFlash(.watch))
        try bench.mount()
        for number in 0..<20 as Range<UInt8> {
            try bench.append(note(number, count))
            let (found, report) = try remounted(bench.flash)
            #expect(found == bench.notebook)
            #expect(report.applied == Int(number) + 1)
            #expect(report.tail == .clean)
        }
    }

    @Test func `A payload of 512 bytes is taken, one of 513 is refused and writes nothing`() throws {
        var bench = JournalBench(MemoryFlash(.watch))
        try bench.mount()
        try bench.append(note(1, 511))
        let before = bench.flash.counts.programs
        #expect(throws: JournalError.recordTooLong) { try bench.append(note(1, 512)) }
        #expect(bench.flash.counts.programs == before)
    }

    @Test func `Nothing is taken before a mount`() {
        var bench = JournalBench(MemoryFlash(.watch))
        #expect(throws: JournalError.notMounted) { try bench.append(note(1, 1)) }
        let free = bench.journal.free
        #expect(free == 0)
        let step = bench.maintain()
        #expect(step == .idle)
    }

    @Test func `An append costs one page program and one more for each page boundary that its record crosses`() throws {
        var bench = JournalBench(MemoryFlash(.watch))
        try bench.mount()
        var random = SplitMix64(seed: 1)
        while bench.journal.free > 2_000 {
            let start = FlashGeometry.watch.capacity / 2 - bench.journal.free
            let count = Int.random(in: 0...500, using: &random)
            bench.flash.resetCounts()
            try bench.append(note(1, count))
            let last = start + 8 + count
            #expect(bench.flash.counts.programs == last / 256 - start / 256 + 1)
            #expect(bench.flash.counts.erases == 0 && bench.flash.counts.reads == 0)
        }
    }

    @Test
    func `While a sector is being erased append suspends that, and the record is there although the erase is not over`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .onRequest))
        try bench.mount()
        while bench.maintain() != .waitingForErase {}
        try bench.append(note(1, 1))
        #expect(bench.flash.counts.waits == 0 && bench.flash.counts.suspensions > 0)
        #expect(bench.flash.flashActivity == .erasing)
        for seed in 0..<20 as Range<UInt64> {
            #expect(try remounted(bench.flash.cutDuringErase(seed: seed)).0 == bench.notebook)
        }
    }

    @Test func `A full bank refuses, keeps what it has, and takes records again after a change of banks`() throws {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(2)))
        try bench.mount()
        var appended = 0
        #expect(throws: JournalError.full) {
            while appended < 1_000 {
                try bench.append(note(UInt8(appended % 4), 90))
                appended += 1
            }
        }
        #expect(appended > 30)
        #expect(try remounted(bench.flash).0 == bench.notebook)
        let outcome = try bench.appendWaiting(note(9, 90))
        #expect(outcome == .keptAfterWaiting(erases: 4))
        let generation = bench.journal.generation
        #expect(generation == 2)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test func `With a little upkeep between taps, no append ever waits for an erase or finds the bank full`() throws {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(3)))
        try bench.mount()
        bench.flash.resetCounts()
        var random = SplitMix64(seed: 2)
        for _ in 0..<3_000 {
            var left = 12
            while left > 0 || bench.flash.flashActivity == .erasing {
                left -= 1
                _ = bench.maintain()
            }
            try bench.append(.random(using: &random))
        }
        let generation = bench.journal.generation ?? 0
        #expect(generation > 20)
        #expect(bench.flash.counts.waits == 0)
        #expect(bench.flash.counts.violations == 0)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }
}
