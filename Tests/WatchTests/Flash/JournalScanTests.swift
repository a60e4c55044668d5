import DeviceModel
import DeviceModelTesting
import SeededNumbers
import Testing
import WatchLink

@testable import Watch

struct JournalScanTests {
    private func mount(_ flash: MemoryFlash) throws -> ([Ledger.Entry], MountReport) {
        var flash = flash
        var ledger = Ledger()
        var bench = JournalBench(flash)
        let report = try bench.journal.mount(flash: &flash, replay: &ledger)
        return (ledger.entries, report)
    }

    /// A journal with a snapshot, records behind it, and a gap that an interrupted program left.
    private func example() throws -> MemoryFlash {
        var random = SplitMix64(seed: 11)
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for _ in 0..<20 { try bench.append(.random(using: &random)) }
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        for _ in 0..<10 { try bench.append(.random(using: &random)) }
        bench.flash.failPower(afterOperations: 0, seed: 8)
        #expect(throws: JournalError.flash(.notResponding)) {
            try bench.append(Notebook.Change(kind: Notebook.write, payload: [3] + random.bytes(100)))
        }
        bench.flash.restorePower()
        try bench.mount()
        for _ in 0..<10 { try bench.append(.random(using: &random)) }
        bench.settle()
        return bench.flash
    }

    @Test func `Whichever byte decays, at most the record that it belongs to is lost, and the mount says so`() throws {
        let flash = try example()
        let (whole, report) = try mount(flash)
        #expect(report.origin == .bank(generation: 2) && report.isComplete && report.tail == .clean)
        #expect(whole.count > 20)
        for address in FlashGeometry.small.capacity / 2..<FlashGeometry.small.capacity {
            var decayed = flash
            let two = UInt8(1) << UInt8(address % 8) | 1 << UInt8((address + 3) % 8)
            decayed.decay(at: address, mask: address % 3 == 0 ? 0xFF : two)
            let (left, report) = try mount(decayed)
            #expect(left.isLeft(of: whole) && left.count >= whole.count - 1, "address \(address)")
            if left.count < whole.count {
                // Of the last record it cannot be told whether it was ever finished.
                let isLast = left == Array(whole.dropLast())
                #expect(report.isComplete == isLast && (report.tail != .clean) == isLast, "address \(address)")
                #expect(report.damaged == (isLast ? 0 : 1), "address \(address)")
            }
        }
    }

    @Test func `Whichever bit decays, nothing is lost, and the banks change at once where it was in a record`() throws {
        var random = SplitMix64(seed: Seed.printed(for: "decaying bits"))
        let flash = try example()
        let (whole, _) = try mount(flash)
        for address in FlashGeometry.small.capacity / 2..<FlashGeometry.small.capacity {
            var decayed = flash
            decayed.decay(at: address, mask: 1 << UInt8.random(in: 0..<8, using: &random))
            let (left, report) = try mount(decayed)
            #expect(left == whole && report.isComplete && report.repaired <= 1, "address \(address)")
            guard report.repaired == 1 else { continue }
            var bench = JournalBench(decayed)
            try bench.mount()
            bench.settle()
            #expect(try bench.mount().origin == .bank(generation: 3), "address \(address)")
        }
    }

    @Test func `What an interruption left is no damage, at the end of the log and later in its middle`() throws {
        let (_, report) = try mount(try example())
        #expect(report.damaged == 0)
        #expect(report.tail == .clean)
    }

    @Test func `After damage the banks change at once, and the damage is left behind`() throws {
        var bench = JournalBench(try example())
        bench.flash.decay(at: FlashGeometry.small.capacity / 2 + 200, mask: 0x30)
        let report = try bench.mount()
        #expect(report.damaged == 1)
        let state = bench.notebook
        bench.settle()
        let later = try bench.mount()
        #expect(later.isComplete && later.origin == .bank(generation: 3))
        #expect(bench.notebook == state)
    }

    @Test
    func
        `Bytes of a payload are never taken for a record, even those of a real one, when the record around them decays`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        try bench.append(Notebook.Change(kind: Notebook.erase, payload: [7]))
        let real = Array(bench.flash.contents[64..<80])
        let place = 4_096 - bench.journal.free
        try bench.append(Notebook.Change(kind: Notebook.write, payload: real + real + real))
        try bench.append(Notebook.Change(kind: Notebook.write, payload: [1]))
        bench.flash.decay(at: place, mask: 0x60)
        let (left, report) = try mount(bench.flash)
        #expect(left == [Ledger.Entry(kind: 2, payload: [7]), Ledger.Entry(kind: 1, payload: [1])])
        #expect(report.damaged == 1)
    }

    @Test func `A standby bank that decayed while it waited is found out, erased again, and taken`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        for address in 4_096 + 64..<8_192 { bench.flash.decay(at: address, mask: 0x80) }
        try bench.append(Notebook.Change(kind: Notebook.write, payload: [1, 0xFF, 0xFF]))
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        let generation = bench.journal.generation
        #expect(generation == 2)
        #expect(bench.flash.eraseCounts == [0, 0, 0, 0, 2, 2, 2, 2])
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }
}
