import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct BankHeaderTests {
    private typealias Bench = JournalBench<MemoryFlash>

    /// A chip, and the notes in its log. The newest bank is the second one, which begins at the address `newest`.
    private struct Example {
        var flash: MemoryFlash
        var notebook: Notebook
        let newest = FlashGeometry.small.capacity / 2
    }

    /// Returns a chip on which both banks have a log. The older bank is not erased yet, and lacks the newest records.
    private func twoBanks() throws -> Example {
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        for number in 1...3 as ClosedRange<UInt8> { try bench.write([number, 5]) }
        try bench.journal.compact(flash: &bench.flash, client: &bench.notebook)
        try bench.write([1, 6])
        return Example(flash: bench.flash, notebook: bench.notebook)
    }

    /// Returns the chip of `twoBanks` after upkeep, which has erased the older bank.
    private func oneBank() throws -> Example {
        let example = try twoBanks()
        var bench = Bench(example.flash)
        try bench.mount()
        bench.settle()
        return Example(flash: bench.flash, notebook: bench.notebook)
    }

    private func splash(
        _ count: ClosedRange<Int>, in range: Range<Int>, of flash: inout MemoryFlash, using random: inout SplitMix64
    ) {
        for bit in (0..<range.count * 8).shuffled(using: &random).prefix(Int.random(in: count, using: &random)) {
            flash.decay(at: range.lowerBound + bit / 8, mask: 1 << UInt8(bit % 8))
        }
    }

    private func splashHeaders(of bank: Int, in flash: inout MemoryFlash, using random: inout SplitMix64) {
        for start in [16, 32] { splash(2...12, in: bank + start..<bank + start + 16, of: &flash, using: &random) }
    }

    @Test(arguments: 1...2)
    func `whichever twelve bits of both headers decay, the bank is read, and the banks change at once`(banks: Int)
        throws
    {
        let seed = Seed.printed(for: "decaying headers")
        let example = banks == 1 ? try oneBank() : try twoBanks()
        for image in 0..<1_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed &+ image)
            var bench = Bench(example.flash)
            splashHeaders(of: example.newest, in: &bench.flash, using: &random)
            if image % 3 == 0 { splashHeaders(of: 0, in: &bench.flash, using: &random) }
            let report = try bench.mount()
            #expect(report.origin == .log(generation: 2) && report.repaired == 1 && report.isComplete, "\(image)")
            #expect(bench.notebook == example.notebook, "\(image)")
            bench.settle()
            let (notebook, later) = try remounted(bench.flash)
            #expect(notebook == example.notebook && later.repaired == 0 && later.isComplete, "\(image)")
            #expect(later.origin == .log(generation: 3), "\(image)")
        }
    }

    @Test func `a bit in each commit word as well costs nothing, where one header still has its generation`() throws {
        let seed = Seed.printed(for: "decaying headers and commit words")
        let example = try oneBank()
        for image in 0..<1_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed &+ image)
            var bench = Bench(example.flash)
            let (start, kept) = (example.newest, image % 2 == 0 ? 16 : 32)
            splash(2...12, in: start + 48 - kept..<start + 64 - kept, of: &bench.flash, using: &random)
            splash(2...12, in: start + kept..<start + kept + 8, of: &bench.flash, using: &random)
            splash(1...1, in: start + 48..<start + 56, of: &bench.flash, using: &random)
            splash(1...1, in: start + 56..<start + 64, of: &bench.flash, using: &random)
            let report = try bench.mount()
            #expect(report.origin == .log(generation: 2) && report.isComplete, "\(image)")
            #expect(bench.notebook == example.notebook, "\(image)")
        }
    }

    @Test
    func `headers and commit words that both decay are put right, or the mount says that something is lost`() throws {
        let seed = Seed.printed(for: "decaying headers and commit words beyond repair")
        let example = try oneBank()
        for image in 0..<1_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed &+ image)
            var bench = Bench(example.flash)
            splashHeaders(of: example.newest, in: &bench.flash, using: &random)
            for start in [48, 56] {
                let range = example.newest + start..<example.newest + start + 8
                splash(2...12, in: range, of: &bench.flash, using: &random)
            }
            let report = try bench.mount()
            #expect(!report.isComplete || bench.notebook == example.notebook, "\(image)")
        }
    }

    @Test func `a bank that was not committed, or was revoked, is none without its headers either`() throws {
        var random = SplitMix64(seed: Seed.printed(for: "headers of banks without a log"))
        var bench = Bench(MemoryFlash(.small))
        try bench.mount()
        try bench.write([1, 5])
        bench.settle()
        let (prepared, kept) = (bench.flash, bench.notebook)
        bench.journal.active?.trigger = 0
        _ = bench.maintain()
        let begun = bench.flash
        var revoked = prepared
        for address in 4_096 + 16..<4_096 + 64 { revoked.contents[address] = 0 }
        for image in 0..<1_000 {
            var flash = [begun, revoked, prepared][image % 3]
            splashHeaders(of: 4_096, in: &flash, using: &random)
            let (notebook, report) = try remounted(flash)
            #expect(notebook == kept && report.origin == .log(generation: 1) && report.isComplete, "\(image)")
        }
    }

    @Test(arguments: 0..<8)
    func `a format number with a decayed bit in both headers is no newer format`(bit: Int) throws {
        var example = try oneBank()
        for start in [example.newest + 16, example.newest + 32] {
            example.flash.decay(at: start + 4, mask: 1 << UInt8(bit))
            example.flash.decay(at: start + 9, mask: 1)
        }
        let (notebook, report) = try remounted(example.flash)
        #expect(notebook == example.notebook && report.origin == .log(generation: 2) && report.isComplete)
    }

    @Test(arguments: [1, 3, 10, 30])
    func `an erase that was cut off early makes no bank of any generation`(percent: Int) throws {
        let seed = Seed.printed(for: "an erase that was cut off")
        let example = try twoBanks()
        for image in 0..<UInt64(TestLevel.rounds(500, nightly: 5_000)) {
            var random = SplitMix64(seed: seed &+ image)
            var flash = example.flash
            for address in 0..<64 {
                for bit in 0..<8 where Int.random(in: 0..<100, using: &random) < percent {
                    flash.contents[address] |= 1 << UInt8(bit)
                }
            }
            let (notebook, report) = try remounted(flash)
            #expect(
                notebook == example.notebook && report.origin == .log(generation: 2),
                "\(image): \(report) \(flash.contents[16..<64].map { String($0, radix: 16) })")
        }
    }

    @Test func `a bank of a newer format stays one while both headers agree on it`() throws {
        var random = SplitMix64(seed: Seed.printed(for: "headers of a newer format"))
        var example = try oneBank()
        for start in [example.newest + 16, example.newest + 32] {
            example.flash.contents[start + 4] = 9
            var check = CRC32()
            for byte in example.flash.contents[start..<start + 12] { check.update(byte) }
            for byte in 0..<4 {
                example.flash.contents[start + 12 + byte] = UInt8(truncatingIfNeeded: check.checksum >> (8 * byte))
            }
        }
        for _ in 0..<200 {
            var flash = example.flash
            for start in [example.newest + 24, example.newest + 40] {
                splash(2...12, in: start..<start + 8, of: &flash, using: &random)
            }
            let report = try remounted(flash).1
            #expect(report.origin == .newerFormat(version: 9))
        }
    }
}
