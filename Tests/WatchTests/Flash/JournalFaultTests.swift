import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct JournalFaultTests {
    @Test(arguments: [FlashError.verifyFailed, .notResponding])
    func `whichever operation fails, a record that was kept stays, and the journal goes on`(error: FlashError) throws {
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

    @Test func `a record that fails to verify is tried once more on a fresh page`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.flash.failOnce(with: .verifyFailed, afterOperations: 0, seed: 4)
        try bench.write([1, 2, 3])
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test
    func `a standby bank that keeps nothing is given up after three attempts; records are kept while there is room`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for sector in 4..<8 { bench.flash.wearOut(sector: sector) }
        var failures = 0
        #expect(throws: JournalError.full) {
            for number in 0..<1_000 {
                try bench.write([UInt8(number % 5), 1, 2, 3])
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

    @Test func `a worn sector in the active bank is passed, and the banks change soon`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        bench.flash.wearOut(sector: 0)
        #expect(throws: JournalError.flash(.verifyFailed)) { try bench.write([1, 2]) }
        bench.notebook.notes[1] = [2]
        bench.settle(limit: 200)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    /// Returns a journal that is about to change banks. The second flash operation of this change programs a commit
    /// word.
    private func beforeCommit() throws -> JournalBench<MemoryFlash> {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        bench.journal.active?.trigger = 0
        return bench
    }

    @Test(arguments: 0..<30)
    func `a commit word that was reported as failed never wins over what is appended afterwards`(seed: UInt64) throws {
        var bench = try beforeCommit()
        bench.flash.failOnce(with: .notResponding, afterOperations: 1, seed: seed)
        let steps = [bench.maintain(), bench.maintain()]
        #expect(steps == [.again, .failed(.flash(.notResponding))])
        try bench.write([1, 2])
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test(arguments: 0..<30)
    func `if such a word cannot be taken back either, nothing more is promised`(seed: UInt64) throws {
        var bench = try beforeCommit()
        bench.flash.failOnce(with: .verifyFailed, afterOperations: 1, seed: seed)
        bench.flash.failPower(afterOperations: 2, seed: seed)
        let steps = [bench.maintain(), bench.maintain()]
        #expect(steps == [.again, .failed(.flash(.notResponding))])
        bench.flash.restorePower()
        #expect(throws: JournalError.notMounted) { try bench.write([1, 2]) }
        try bench.mount()
        try bench.write([1, 2])
    }

    @Test func `a chip that does not answer is reported at once, and the client keeps its state`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        bench.flash.failPower(afterOperations: 0, seed: 1)
        #expect(throws: JournalError.flash(.notResponding)) { try bench.mount() }
        #expect(throws: JournalError.notMounted) { try bench.write([1, 2]) }
        let step = bench.maintain()
        #expect(step == .idle)
    }
}

struct JournalPowerCutTests {
    enum Upkeep: CaseIterable {
        /// Up to six steps of maintenance after each record, as between two taps.
        case between
        /// No maintenance. If a record does not fit, the append itself makes room.
        case never
    }

    @Test(
        arguments: Upkeep.allCases, [FlashGeometry.small, FlashGeometry(pageSize: 64, sectorSize: 512, sectorCount: 9)])
    func `whenever the power fails, the state is the one before or after the record being written`(
        upkeep: Upkeep, geometry: FlashGeometry
    ) throws {
        let seed = Seed.printed(for: "power cut at every operation")
        var random = SplitMix64(seed: seed)
        let chip = MemoryFlash(geometry, eraseEnd: .afterQueries(1))
        var bench = JournalBench(PowerCutRecorder(chip, seeds: [seed, seed ^ 0x5555]))
        try bench.mount()
        var states = [bench.notebook]
        for count in 0..<350 {
            bench.flash.doing = .appending(after: count)
            try bench.appendWaiting(.random(using: &random))
            states.append(bench.notebook)
            bench.flash.doing = .maintaining(count + 1)
            switch upkeep {
            case .between:
                for _ in 0..<Int.random(in: 0...6, using: &random) { _ = bench.maintain() }
                let isAttestable = bench.journal.isAttestable
                if isAttestable, Bool.random(using: &random) { try? bench.journal.attest(flash: &bench.flash) }
            case .never: break
            }
        }
        let generation = bench.journal.generation ?? 0
        #expect(generation >= 3)
        #expect(bench.flash.chip.counts.violations == 0)
        for cut in bench.flash.cuts {
            try check(cut, states)
        }
    }

    /// Mounts the flash of `cut`, and expects the state before or after the interrupted record. Then expects that
    /// records appended afterwards survive another mount.
    private func check(_ cut: PowerCutRecorder.Cut, _ states: [Notebook]) throws {
        var bench = JournalBench(cut.flash)
        bench.flash.resetCounts()
        let report = try bench.mount()
        switch cut.doing {
        case .appending(let count):
            #expect(
                bench.notebook == states[count] || bench.notebook == states[count + 1],
                "operation \(cut.operation), seed \(cut.seed)")
        case .maintaining(let count):
            #expect(bench.notebook == states[count], "operation \(cut.operation), seed \(cut.seed)")
        }
        #expect(report.damaged == 0 && report.unreadable == 0, "operation \(cut.operation), seed \(cut.seed)")

        var random = SplitMix64(seed: cut.seed &+ UInt64(cut.operation))
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            try bench.appendWaiting(.random(using: &random))
            for _ in 0..<Int.random(in: 0...9, using: &random) { _ = bench.maintain() }
        }
        #expect(bench.flash.counts.violations == 0, "operation \(cut.operation), seed \(cut.seed)")
        let (found, later) = try remounted(bench.flash)
        #expect(found == bench.notebook, "operation \(cut.operation), seed \(cut.seed)")
        #expect(later.isComplete || !report.isComplete, "operation \(cut.operation), seed \(cut.seed)")
        #expect(later.tornBytes == 0)
    }

    @Test func `a mount that loses power while it formats a chip is followed by one that does not`() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let contents = seed % 2 == 0 ? random.bytes(FlashGeometry.small.capacity) : nil
            var flash = contents.map { MemoryFlash(.small, contents: $0) } ?? MemoryFlash(.small)
            for cut in 0..<6 {
                flash.failPower(afterOperations: cut, seed: seed)
                var bench = JournalBench(flash)
                let mounted = Result { try bench.mount() }
                flash = bench.flash
                flash.restorePower()
                let (found, report) = try remounted(flash)
                #expect(found == Notebook(), "cut \(cut), seed \(seed): \(mounted)")
                #expect(report.applied == 0)
            }
        }
    }
}
