import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct JournalMountTests {
    @Test func `a new chip is formatted without an erase and mounts empty`() throws {
        var bench = JournalBench(MemoryFlash(.watch))
        let report = try bench.mount()
        #expect(report.origin == .blank)
        #expect(report.isComplete)
        #expect(bench.flash.counts.erases == 0)
        let again = try bench.mount()
        #expect(again.origin == .log(generation: 1))
        #expect(again.tornBytes == 0)
    }

    @Test(arguments: [
        FlashGeometry(sectorCount: 1), FlashGeometry(sectorCount: 0), FlashGeometry(sectorCount: -4),
        FlashGeometry(pageSize: 0, sectorSize: 4_096, sectorCount: 4),
        FlashGeometry(pageSize: 100, sectorSize: 4_000, sectorCount: 4),
        FlashGeometry(pageSize: 256, sectorSize: 100, sectorCount: 4),
        FlashGeometry(pageSize: 256, sectorSize: 1_024, sectorCount: 2),
    ])
    func `a chip that cannot hold two banks is refused`(geometry: FlashGeometry) {
        #expect(throws: JournalError.unsuitableGeometry) { try BankLayout(geometry) }
    }

    @Test func `records of an unknown kind reach the client, are counted, and are gone after the next change of banks`()
        throws
    {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        try bench.write([1, 2])
        try bench.append(Notebook.Change(kind: Notebook.unknown, payload: [3, 4]))
        try bench.write([5, 6])
        let report = try bench.mount()
        #expect(report.applied == 2 && report.unknown == 1 && report.isComplete)
        #expect(bench.notebook.notes == [1: [2], 5: [6]])
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        let later = try bench.mount()
        #expect(later.applied == 2 && later.unknown == 0)
    }

    @Test func `records that the client cannot read are counted, and the mount is not complete`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        try bench.write([])
        let report = try bench.mount()
        #expect(report.unreadable == 1)
        #expect(!report.isComplete)
    }

    @Test func `a bank of a newer format is given up, and nothing older comes back`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        try bench.write([1, 2])
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        let header = arena.take(64, of: UInt8(0xFF))
        header.putHeaders(generation: 2)
        for start in [16, 32] {
            header[start + 4] = 9
            header.put(header.checksum(start..<start + 12), at: start + 12)
        }
        header.putCommits(generation: 2, snapshotEnd: 64)
        try bench.flash.programFlash(at: 4_096, header.span)
        let report = try bench.mount()
        #expect(report.origin == .newerFormat(version: 9))
        #expect(!report.isComplete)
        #expect(bench.notebook == Notebook())
        // Until the new bank has a record, each mount reports the loss.
        #expect(try bench.mount().origin == .unreadable)
        try bench.write([1, 3])
        let kept = bench.notebook
        #expect(try bench.mount().origin == .log(generation: 3))
        #expect(bench.notebook == kept)
    }

    @Test func `a bit that flips in both copies of a bank's header, or of its commit word, costs nothing`() throws {
        var whole = JournalBench(MemoryFlash(.small))
        try whole.mount()
        try whole.write([1, 2])
        for (start, size) in [(16, 16), (48, 8)] {
            for pair in 0..<size * 8 * 7 {
                let (bit, other) = (pair / 7, (pair * 37 + 11) % (size * 8))
                var bench = JournalBench(whole.flash)
                bench.flash.decay(at: start + bit / 8, mask: 1 << UInt8(bit % 8))
                bench.flash.decay(at: start + size + other / 8, mask: 1 << UInt8(other % 8))
                let report = try bench.mount()
                #expect(report.isComplete && report.repaired == 1, "bits \(bit) and \(other) from \(start)")
                #expect(bench.notebook == whole.notebook)
                bench.settle()
                let (notebook, again) = try remounted(bench.flash)
                #expect(notebook == whole.notebook && again.repaired == 0, "the next bank has no such bit")
            }
        }
    }

    @Test func `random bytes behind a valid bank header yield no record, end, and leave a journal that works`() throws {
        let seed = Seed.printed(for: "random bytes behind a header")
        var formatted = JournalBench(MemoryFlash(.small))
        try formatted.mount()
        let header = Array(formatted.flash.contents[0..<64])
        for image in 0..<400 as Range<UInt64> {
            var random = SplitMix64(seed: seed &+ image)
            let contents = header + random.bytes(FlashGeometry.small.capacity - 64)
            var bench = JournalBench(MemoryFlash(.small, contents: contents, eraseEnd: .afterQueries(1)))
            let report = try bench.mount()
            #expect(report.origin == .unreadable && report.applied == 0 && report.unknown == 0)
            try bench.appendWaiting(.random(using: &random))
            bench.settle()
            #expect(try remounted(bench.flash).0 == bench.notebook, "image \(image)")
        }
    }

    @Test
    func `random bytes here and there in a journal lose records, invent none, and leave a journal that works`() throws {
        let seed = Seed.printed(for: "random bytes in a journal")
        for image in 0..<400 as Range<UInt64> {
            var random = SplitMix64(seed: seed &+ image)
            var bench = JournalBench(MemoryFlash(.small))
            try bench.mount()
            for _ in 0..<40 { try bench.append(.random(using: &random)) }
            if image % 2 == 0 { bench.settle() }
            let whole = try entries(bench.flash)
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bench.flash.decay(
                    at: .random(in: 0..<FlashGeometry.small.capacity, using: &random),
                    mask: .random(in: 1...255, using: &random))
            }
            let left = try entries(bench.flash)
            #expect(left.isLeft(of: whole), "image \(image)")
            try bench.mount()
            for _ in 0..<60 { try appendPersistently(.random(using: &random), to: &bench) }
            bench.settle()
            #expect(try remounted(bench.flash).0 == bench.notebook, "image \(image)")
        }
    }

    /// Appends a change. An append tries two pages. If the erased bytes of both have decayed, this appends again, on
    /// the pages after them.
    private func appendPersistently(
        _ change: Notebook.Change, to bench: inout JournalBench<MemoryFlash>
    ) throws {
        for _ in 0..<20 {
            do {
                try bench.appendWaiting(change)
                return
            } catch JournalError.flash(.verifyFailed) {
                continue
            }
        }
        Issue.record("no place is fit for a record")
    }

    private func entries(_ flash: MemoryFlash) throws -> [Ledger.Entry] {
        var flash = flash
        var ledger = Ledger()
        var bench = JournalBench(flash)
        _ = try bench.journal.mount(flash: &flash, replay: &ledger)
        return ledger.entries
    }
}

struct JournalScanTests {
    private func mount(_ flash: MemoryFlash) throws -> ([Ledger.Entry], MountReport) {
        var flash = flash
        var ledger = Ledger()
        var bench = JournalBench(flash)
        let report = try bench.journal.mount(flash: &flash, replay: &ledger)
        return (ledger.entries, report)
    }

    /// Returns a flash whose active bank has a snapshot, ten records, the remains of an interrupted write, and ten more
    /// records.
    private func example() throws -> MemoryFlash {
        var random = SplitMix64(seed: 11)
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        for _ in 0..<20 { try bench.append(.random(using: &random)) }
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        for _ in 0..<10 { try bench.append(.random(using: &random)) }
        bench.flash.failPower(afterOperations: 0, seed: 8)
        #expect(throws: JournalError.flash(.notResponding)) { try bench.write([3] + random.bytes(100)) }
        bench.flash.restorePower()
        try bench.mount()
        for _ in 0..<10 { try bench.append(.random(using: &random)) }
        bench.settle()
        return bench.flash
    }

    @Test func `whichever byte decays, at most the record that it belongs to is lost, and the mount says so`() throws {
        let flash = try example()
        let (whole, report) = try mount(flash)
        #expect(report.origin == .log(generation: 2) && report.isComplete && report.tornBytes == 0)
        #expect(whole.count > 20)
        for address in FlashGeometry.small.capacity / 2..<FlashGeometry.small.capacity {
            var decayed = flash
            let two = UInt8(1) << UInt8(address % 8) | 1 << UInt8((address + 3) % 8)
            decayed.decay(at: address, mask: address % 3 == 0 ? 0xFF : two)
            let (left, report) = try mount(decayed)
            #expect(left.isLeft(of: whole) && left.count >= whole.count - 1, "address \(address)")
            if left.count < whole.count {
                // If the last record is damaged, the mount takes it for an interrupted write.
                let isLast = left == Array(whole.dropLast())
                #expect(report.isComplete == isLast && (report.tornBytes > 0) == isLast, "address \(address)")
                #expect(report.damaged == (isLast ? 0 : 1), "address \(address)")
            }
        }
    }

    @Test func `whichever bit decays, nothing is lost, and the banks change at once where it was in a record`() throws {
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
            #expect(try bench.mount().origin == .log(generation: 3), "address \(address)")
        }
    }

    @Test func `after damage the banks change at once, and the damage is left behind`() throws {
        var bench = JournalBench(try example())
        bench.flash.decay(at: FlashGeometry.small.capacity / 2 + 200, mask: 0x30)
        let report = try bench.mount()
        #expect(report.damaged == 1)
        let state = bench.notebook
        bench.settle()
        let later = try bench.mount()
        #expect(later.isComplete && later.origin == .log(generation: 3))
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
        try bench.write(real + real + real)
        try bench.write([1])
        bench.flash.decay(at: place, mask: 0x60)
        let (left, report) = try mount(bench.flash)
        #expect(left == [Ledger.Entry(kind: 2, payload: [7]), Ledger.Entry(kind: 1, payload: [1])])
        #expect(report.damaged == 1)
    }

    @Test func `a standby bank that decayed while it waited is found out, erased again, and taken`() throws {
        var bench = JournalBench(MemoryFlash(.small))
        try bench.mount()
        bench.settle()
        for address in 4_096 + 64..<8_192 { bench.flash.decay(at: address, mask: 0x80) }
        try bench.write([1, 0xFF, 0xFF])
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        let generation = bench.journal.generation
        #expect(generation == 2)
        #expect(bench.flash.eraseCounts == [0, 0, 0, 0, 2, 2, 2, 2])
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }
}
