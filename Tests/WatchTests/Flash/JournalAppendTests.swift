import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct JournalAppendTests {
    private func note(_ number: UInt8, _ count: Int) -> Notebook.Change {
        Notebook.Change(kind: Notebook.write, payload: [number] + (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test(arguments: [0, 1, 7, 8, 200, 480, 511])
    func `a record is there after a restart as soon as append has returned`(count: Int) throws {
        var bench = JournalBench(MemoryFlash(.watch))
        try bench.mount()
        for number in 0..<20 as Range<UInt8> {
            try bench.append(note(number, count))
            let (found, report) = try remounted(bench.flash)
            #expect(found == bench.notebook)
            #expect(report.applied == Int(number) + 1)
            #expect(report.tornBytes == 0)
        }
    }

    @Test func `a payload of 512 bytes is taken, one of 513 is refused and writes nothing`() throws {
        var bench = JournalBench(MemoryFlash(.watch))
        try bench.mount()
        try bench.append(note(1, 511))
        let before = bench.flash.counts.programs
        #expect(throws: JournalError.recordTooLong) { try bench.append(note(1, 512)) }
        #expect(bench.flash.counts.programs == before)
    }

    @Test func `nothing is taken before a mount`() {
        var bench = JournalBench(MemoryFlash(.watch))
        #expect(throws: JournalError.notMounted) { try bench.append(note(1, 1)) }
        let free = bench.journal.free
        #expect(free == 0)
        let step = bench.maintain()
        #expect(step == .idle)
    }

    @Test func `an append costs one page program and one more for each page boundary that its record crosses`() throws {
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
    func `while a sector is being erased append suspends that, and the record is there although the erase is not over`()
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

    @Test func `a full bank refuses, keeps what it has, and takes records again after a change of banks`() throws {
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
        let erases = try bench.appendWaiting(note(9, 90))
        #expect(erases == 4)
        let generation = bench.journal.generation
        #expect(generation == 2)
        #expect(try remounted(bench.flash).0 == bench.notebook)
    }

    @Test func `with a little upkeep between taps, no append ever waits for an erase or finds the bank full`() throws {
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

struct JournalAttestTests {
    private typealias Bench = JournalBench<MemoryFlash>

    /// Returns a flash with three records, and the addresses of the newest record without its padding.
    private func example() throws -> (flash: MemoryFlash, newest: Range<Int>) {
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        for number in 1...3 as ClosedRange<UInt8> { try bench.write([number] + Array(repeating: 7, count: 19)) }
        let end = FlashGeometry.small.capacity / 2 - bench.journal.free
        return (bench.flash, end - JournalFormat.stride(20)..<end - 4)
    }

    private func attested() throws -> (flash: MemoryFlash, newest: Range<Int>) {
        let (flash, newest) = try example()
        return (try attest(flash), newest)
    }

    private func attest(_ flash: MemoryFlash) throws -> MemoryFlash {
        var bench = Bench(flash)
        try bench.mount()
        try bench.journal.attest(flash: &bench.flash)
        return bench.flash
    }

    private func flip(_ bits: [Int], of range: Range<Int>, in flash: inout MemoryFlash) {
        for bit in bits { flash.decay(at: range.lowerBound + bit / 8, mask: 1 << UInt8(bit % 8)) }
    }

    @Test
    func `whichever bits of the newest record decay, it is there or the mount says that something is lost`() throws {
        var random = SplitMix64(seed: Seed.printed(for: "several bits of the newest record"))
        let (flash, newest) = try attested()
        let (whole, clean) = try remounted(flash)
        #expect(whole.notes.count == 3 && clean.tornBytes == 0 && clean.isComplete && clean.applied == 3)
        for image in 0..<4_000 {
            let bits = (0..<newest.count * 8).shuffled(using: &random).prefix(image < 3_000 ? 2 : image % 20 + 3)
            var decayed = flash
            flip(Array(bits), of: newest, in: &decayed)
            let (left, report) = try remounted(decayed)
            #expect(left.notes == whole.notes.filter { $0.key != 3 }, "bits \(bits)")
            #expect(report.damaged == 1 && report.tornBytes == 0 && !report.isComplete, "bits \(bits)")
        }
    }

    @Test func `without that, what is left of it looks like a write that was cut off`() throws {
        var (flash, newest) = try example()
        flip([3, 90], of: newest, in: &flash)
        let report = try remounted(flash).1
        #expect(report.damaged == 0 && report.tornBytes > 0 && report.isComplete)
    }

    @Test func `it is said once of each record, not of a snapshot, and not again after a start`() throws {
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        bench.expectAttestable(false)
        for number in 1...3 as ClosedRange<UInt8> {
            try bench.write([number])
            bench.expectAttestable(true)
            try bench.mount()
            bench.expectAttestable(true)
            bench.flash.resetCounts()
            try bench.journal.attest(flash: &bench.flash)
            #expect(bench.flash.counts.programs == 1)
            bench.expectAttestable(false)
            try bench.mount()
            bench.flash.resetCounts()
            try bench.journal.attest(flash: &bench.flash)
            #expect(bench.flash.counts.programs == 0)
            bench.expectAttestable(false)
        }
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        bench.expectAttestable(false)
        try bench.mount()
        bench.expectAttestable(false)
        try bench.write([9])
        let kept = bench.notebook
        try bench.mount()
        bench.expectAttestable(true)
        #expect(bench.notebook == kept)
    }

    @Test func `a record that was appended while a snapshot was being written needs nothing more`() throws {
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        for number in 0..<9 as Range<UInt8> { try bench.write([number] + Array(repeating: 3, count: 400)) }
        while !bench.journal.isWritingSnapshot { _ = bench.maintain() }
        try bench.write([0, 1, 2])
        bench.expectAttestable(false)
        bench.settle()
        bench.expectAttestable(false)
        let kept = bench.notebook
        try bench.mount()
        #expect(bench.notebook == kept)
        bench.expectAttestable(false)
    }

    @Test func `power that fails while it is said costs nothing, is no damage, and it is said again`() throws {
        let seed = Seed.printed(for: "power cut while attesting")
        let (flash, newest) = try example()
        for cut in 0..<300 as Range<UInt64> {
            var bench = Bench(flash)
            try bench.mount()
            let kept = bench.notebook
            bench.flash.failPower(afterOperations: 0, seed: seed &+ cut)
            #expect(throws: JournalError.flash(.notResponding)) { try bench.journal.attest(flash: &bench.flash) }
            bench.flash.restorePower()
            let (left, report) = try remounted(bench.flash)
            #expect(left == kept && report.isComplete && report.damaged == 0, "cut \(cut)")
            var again = try attest(bench.flash)
            let (same, whole) = try remounted(again)
            #expect(same == kept && whole.isComplete && whole.tornBytes == 0, "cut \(cut)")
            flip([3, 90], of: newest, in: &again)
            #expect(try remounted(again).1.damaged == 1, "cut \(cut)")
        }
    }

    @Test(arguments: [false, true])
    func `where it cannot be said it is not tried again, and later records are kept`(isRestarted: Bool) throws {
        var bench = Bench(try example().flash)
        try bench.mount()
        bench.flash.failOnce(with: .verifyFailed, afterOperations: 0, seed: 4)
        #expect(throws: JournalError.flash(.verifyFailed)) { try bench.journal.attest(flash: &bench.flash) }
        bench.expectAttestable(false)
        bench.flash.resetCounts()
        try bench.journal.attest(flash: &bench.flash)
        #expect(bench.flash.counts.programs == 0)
        let kept = bench.notebook
        if isRestarted {
            try bench.mount()
            #expect(bench.notebook == kept)
        }
        try bench.write([9, 9])
        let (left, report) = try remounted(bench.flash)
        #expect(left == bench.notebook && report.isComplete && report.tornBytes == 0)
    }

    @Test func `a full bank has no room for it`() throws {
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        while bench.journal.free >= 512 { try bench.write([1] + Array(repeating: 2, count: 407)) }
        while bench.journal.free > 0 { try bench.write([]) }
        #expect(throws: JournalError.full) { try bench.journal.attest(flash: &bench.flash) }
    }
}

extension JournalBench {
    fileprivate func expectAttestable(_ expected: Bool, _ location: SourceLocation = #_sourceLocation) {
        let found = journal.isAttestable
        #expect(found == expected, sourceLocation: location)
    }
}
