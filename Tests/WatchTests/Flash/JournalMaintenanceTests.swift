import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct JournalMaintenanceTests {
    @Test func `a step starts one erase or programs one record, and reads at most once`() throws {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(1)))
        try bench.mount()
        var random = SplitMix64(seed: 3)
        var erases = 0
        for _ in 0..<2_000 {
            try bench.appendWaiting(.random(using: &random))
            for _ in 0..<6 {
                bench.flash.resetCounts()
                let step = bench.maintain()
                let counts = bench.flash.counts
                erases += counts.erases
                #expect(counts.waits == 0)
                #expect(counts.reads <= 1)
                #expect(counts.erases == 0 ? counts.programs <= 2 : counts.programs == 0 && counts.erases == 1)
                #expect((step == .waitingForErase) || counts.erases == 0)
            }
        }
        #expect(erases > 40)
    }

    @Test
    func `the standby bank is erased right after a mount and after each change of banks, not when it is needed`() throws
    {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(1)))
        try bench.mount()
        bench.settle()
        #expect(bench.flash.eraseCounts == [0, 0, 0, 0, 1, 1, 1, 1])
        var random = SplitMix64(seed: 4)
        while bench.journal.generation == 1 {
            try bench.append(.random(using: &random))
            bench.settle()
        }
        #expect(bench.flash.eraseCounts == Array(repeating: 1, count: 8))
        let steps = bench.settle()
        #expect(steps == 0)
    }

    @Test func `after many changes of banks every sector has been erased equally often, give or take one`() throws {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(1)))
        try bench.mount()
        var random = SplitMix64(seed: 5)
        while bench.journal.generation ?? 0 < 60 {
            try bench.appendWaiting(.random(using: &random))
            for _ in 0..<4 { _ = bench.maintain() }
            #expect(bench.flash.wearSpread <= 1)
        }
        #expect(bench.flash.eraseCounts.min() ?? 0 >= 28)
    }

    @Test func `a restart costs a sector one erase more than the others at most`() throws {
        var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(1)))
        try bench.mount()
        var random = SplitMix64(seed: 6)
        for restarts in 1..<100 {
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                try bench.appendWaiting(.random(using: &random))
                for _ in 0..<4 { _ = bench.maintain() }
            }
            try bench.mount()
            #expect(bench.flash.wearSpread <= restarts + 1)
        }
    }

    @Test func `a restart does not erase a standby bank again that was ready`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        let wear = bench.flash.eraseCounts
        for _ in 0..<10 {
            try bench.mount()
            bench.settle()
        }
        #expect(bench.flash.eraseCounts == wear)
    }

    @Test func `a state that fills most of a bank does not make the banks change for nothing`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for number in 0..<13 as Range<UInt8> {
            try bench.appendWaiting(
                Notebook.Change(kind: Notebook.write, payload: [number] + Array(repeating: 7, count: 240)))
            bench.settle()
        }
        let generation = bench.journal.generation
        let steps = bench.settle()
        #expect(steps == 0)
        try bench.appendWaiting(Notebook.Change(kind: Notebook.write, payload: [0]))
        let later = bench.settle(limit: 200)
        #expect(later < 200)
        #expect(bench.journal.generation ?? 0 <= (generation ?? 0) + 1)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test
    func
        `A state that does not fit into a bank is reported, tried three times and no more, and costs nothing that was kept`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for number in 0..<20 as Range<UInt8> {
            let change = Notebook.Change(kind: Notebook.write, payload: [number] + Array(repeating: 7, count: 180))
            try bench.append(change)
        }
        let kept = bench.notebook
        for number in 30..<80 as Range<UInt8> { bench.notebook.notes[number] = Array(repeating: 1, count: 100) }
        var failures: [MaintenanceStep] = []
        for _ in 0..<1_000 {
            let step = bench.maintain()
            switch step {
            case .failed: failures.append(step)
            case .idle, .again, .waitingForErase: break
            }
        }
        #expect(failures == Array(repeating: .failed(.snapshotTooLarge), count: 3))
        #expect(bench.flash.eraseCounts.max() ?? 0 <= 4)
        #expect(try remounted(bench.flash).0 == kept)
    }

    @Test func `changing banks at once waits for the erases that are due and reports them`() throws {
        var bench = JournalBench(MemoryFlash(.watch, eraseEnd: .afterQueries(1)))
        try bench.mount()
        try bench.write([1, 2, 3])
        let erases = try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        #expect(erases == 8)
        let generation = bench.journal.generation
        #expect(generation == 2)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }
}

extension MemoryFlash {
    fileprivate var wearSpread: Int { (eraseCounts.max() ?? 0) - (eraseCounts.min() ?? 0) }
}
