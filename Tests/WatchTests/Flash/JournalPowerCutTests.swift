import DeviceModel
import DeviceModelTesting
import SeededNumbers
import Testing
import WatchLink

@testable import Watch

struct JournalPowerCutTests {
    /// How much time the journal gets between two records.
    enum Upkeep: CaseIterable {
        /// Up to six steps, as between taps.
        case between
        /// None: what must be done waits until a record does not fit.
        case never
    }

    @Test(
        arguments: Upkeep.allCases, [FlashGeometry.small, FlashGeometry(pageSize: 64, sectorSize: 512, sectorCount: 9)])
    func `Whenever the power fails, the state is the one before or after the record being written`(
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

    /// Mounts what a cut left, compares, and goes on with it: later records survive as well.
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
        #expect(later.tail == .clean)
    }

    @Test(arguments: 0..<8)
    func `Power that fails again and again, at any time, loses nothing that was kept`(run: UInt64) throws {
        let seed = Seed.printed(for: "power failing again and again") &+ run
        var random = SplitMix64(seed: seed)
        var flash = MemoryFlash(.small, eraseEnd: .afterQueries(1))
        var kept = Notebook()
        var attempted = kept
        for _ in 0..<60 {
            var bench = JournalBench(flash)
            try bench.mount()
            #expect(bench.notebook == kept || bench.notebook == attempted)
            kept = bench.notebook
            bench.flash.failPower(
                afterOperations: .random(in: 0...80, using: &random), seed: .random(in: 0...UInt64.max, using: &random))
            while true {
                let change = Notebook.Change.random(using: &random)
                attempted = kept
                attempted.apply(change)
                do { try bench.appendWaiting(change) } catch { break }
                kept = attempted
                for _ in 0..<Int.random(in: 0...6, using: &random) { _ = bench.maintain() }
            }
            flash = bench.flash
            flash.restorePower()
            #expect(flash.counts.violations == 0)
        }
    }

    @Test func `A mount that loses power while it formats a chip is followed by one that does not`() throws {
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
