import DeviceModel
import DeviceModelTesting
import SeededNumbers
import Testing
import WatchLink

@testable import Watch

struct JournalFaultTests {
    @Test(arguments: [FlashError.verifyFailed, .notResponding])
    func `Whichever operation fails, a record that was kept stays, and the journal goes on`(error: FlashError) throws {
        let seed = Seed.printed(for: "one failed operation")
        var operation = 0
        var isReached = true
        while isReached {
            var random = SplitMix64(seed: seed)
            var bench = JournalBench(MemoryFlash(.small, eraseEnd: .afterQueries(1)))
            try bench.mount()
            bench.flash.failOnce(with: error, afterOperations: operation, seed: seed &+ UInt64(operation))
            for _ in 0..<140 {
                let change = Notebook.Change.random(using: &random)
                do { try bench.appendWaiting(change) } catch { try bench.appendWaiting(change) }
                for _ in 0..<3 { _ = bench.maintain() }
            }
            bench.settle()
            let generation = bench.journal.generation ?? 0
            #expect(generation >= 2)
            #expect(bench.flash.counts.violations == 0, "operation \(operation)")
            let (found, report) = try remounted(bench.flash)
            #expect(found == bench.notebook, "operation \(operation)")
            #expect(report.isComplete, "operation \(operation)")
            isReached = bench.flash.counts.operations > operation + 4
            operation += 1
        }
        #expect(operation > 140)
    }

    @Test func `A record that fails to verify is tried once more on a fresh page`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.flash.failOnce(with: .verifyFailed, afterOperations: 0, seed: 4)
        try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2, 3]))
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test
    func `A standby bank that keeps nothing is given up after three attempts; records are kept while there is room`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for sector in 4..<8 { bench.flash.wearOut(sector: sector) }
        var failures = 0
        #expect(throws: JournalError.full) {
            for number in 0..<1_000 {
                try bench.append(Notebook.Change(kind: Notebook.write, payload: [UInt8(number % 5), 1, 2, 3]))
                for _ in 0..<10 where bench.maintain() == .failed(.flash(.verifyFailed)) { failures += 1 }
            }
        }
        #expect(failures == 3)
        #expect(bench.flash.eraseCounts.max() == 3)
        #expect(try remounted(bench.flash).0 == bench.notebook)
        #expect(throws: JournalError.full) {
            try bench.appendWaiting(Notebook.Change(kind: Notebook.write, payload: [1, 9]))
        }
    }

    @Test func `A worn sector in the active bank is passed, and the banks change soon`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        bench.flash.wearOut(sector: 0)
        #expect(throws: JournalError.flash(.verifyFailed)) {
            try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2]))
        }
        bench.notebook.notes[1] = [2]
        bench.settle(limit: 200)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    /// A journal that will program its commit word with the second operation from now on.
    private func beforeCommit() throws -> JournalBench<MemoryFlash> {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        bench.journal.active?.trigger = 0
        return bench
    }

    @Test(arguments: 0..<30)
    func `A commit word that was reported as failed never wins over what is appended afterwards`(seed: UInt64) throws {
        var bench = try beforeCommit()
        bench.flash.failOnce(with: .notResponding, afterOperations: 1, seed: seed)
        let steps = [bench.maintain(), bench.maintain()]
        #expect(steps == [.again, .failed(.flash(.notResponding))])
        try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2]))
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test(arguments: 0..<30)
    func `If such a word cannot be taken back either, nothing more is promised`(seed: UInt64) throws {
        var bench = try beforeCommit()
        bench.flash.failOnce(with: .verifyFailed, afterOperations: 1, seed: seed)
        bench.flash.failPower(afterOperations: 2, seed: seed)
        let steps = [bench.maintain(), bench.maintain()]
        #expect(steps == [.again, .failed(.flash(.notResponding))])
        bench.flash.restorePower()
        #expect(throws: JournalError.notMounted) {
            try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2]))
        }
        try bench.mount()
        try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2]))
    }

    @Test func `A chip that does not answer is reported at once, and the client keeps its state`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        bench.flash.failPower(afterOperations: 0, seed: 1)
        #expect(throws: JournalError.flash(.notResponding)) { try bench.mount() }
        #expect(throws: JournalError.notMounted) {
            try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 2]))
        }
        let step = bench.maintain()
        #expect(step == .idle)
    }
}
