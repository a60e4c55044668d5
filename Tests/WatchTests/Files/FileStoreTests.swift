import DeviceModel
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct FileStoreTests {
    @Test(arguments: [0, 1, 255, 1_023, 1_024, 1_025, 3_024, 65_535, 65_536], [497, 113, 64])
    func `a file of any length is stored as it was sent, in chunks of any length`(length: Int, chunk: Int) {
        var random = SplitMix64(seed: UInt64(length))
        var bench = FileBench(MemoryFlash(.withFiles))
        let file = SentFile(random.bytes(length), label: "a.pbm", transfer: 7)
        #expect(bench.send(file, chunk: chunk) == .done)
        #expect(bench.content() == file.content)
        #expect(bench.label() == "a.pbm")
        #expect(bench.tellings() == 1)
        #expect(bench.tellings() == 0)
        #expect(bench.flash.counts.violations == 0)
        // A later start has it, too, and tells the handler again.
        var later = FileBench(bench.flash)
        #expect(later.content() == file.content)
        #expect(later.tellings() == 1)
    }

    @Test
    func `the newest file replaces the one before once it is whole, and not earlier, over ten files and restarts`() {
        var random = SplitMix64(seed: 3)
        var chip = MemoryFlash(.withFiles)
        var before: [UInt8]?
        for transfer in 1...10 as ClosedRange<UInt64> {
            var bench = FileBench(chip)
            #expect(bench.content() == before)
            let file = SentFile(random.bytes(2_000), transfer: transfer)
            bench.offer(file)
            bench.settle()
            _ = bench.chunk(file.content[..<400], at: 0, of: 1)
            bench.settle()
            #expect(bench.content() == before)
            bench.loseLink()
            #expect(bench.send(file) == .done)
            #expect(bench.content() == file.content)
            (before, chip) = (file.content, bench.flash)
        }
    }

    @Test func `offers that the watch does not take are refused with the reason, and change nothing`() {
        var bench = FileBench(MemoryFlash(.withFiles), limit: 1_000)
        let content = [UInt8](repeating: 1, count: 1_001)
        #expect(bench.send(SentFile(content, transfer: 1)) == .refused(.tooLarge))
        #expect(bench.offer(SentFile([], transfer: 2), length: .max) == nil)
        bench.settle()
        #expect(bench.frames.last?.step == .refusal(.tooLarge))
        for label in ["", ".hidden", "a/b", "a\u{0}b", "a\nb", String(repeating: "x", count: 65)] {
            #expect(bench.send(SentFile([1], label: label, transfer: 3)) == .refused(.badLabel))
        }
        #expect(bench.content() == nil)
        #expect(bench.flash.counts.operations == 0)
        #expect(bench.send(SentFile([1], label: String(repeating: "x", count: 64), transfer: 4)) == .done)
    }

    @Test func `a second file is refused as busy while one arrives, and taken afterwards`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        let (first, second) = (SentFile([1, 2, 3], transfer: 1), SentFile([4, 5], transfer: 2))
        bench.offer(first)
        #expect(bench.send(second) == .refused(.busy))
        #expect(bench.chunk(first.content[...], at: 0, of: 1) == nil)
        bench.settle()
        #expect(bench.frames.last == FileHeader(number: 1, step: .done))
        #expect(bench.send(second) == .done)
        #expect(bench.content() == second.content)
    }

    @Test func `a file with a wrong hash is refused and not shown; the one before stays`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        let right = SentFile([1, 2, 3], transfer: 1)
        #expect(bench.send(right) == .done)
        var wrong = SentFile([UInt8](repeating: 9, count: 3_000), transfer: 2)
        wrong.hash[31] ^= 1
        #expect(bench.send(wrong) == .refused(.wrongHash))
        #expect(bench.content() == right.content)
        var later = FileBench(bench.flash)
        #expect(later.content() == right.content)
    }

    @Test func `what was kept of an earlier link and is wrong is asked for once more, from the beginning`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        let file = SentFile([UInt8](repeating: 0xA5, count: 4_000), transfer: 1)
        #expect(bench.begin(file, upTo: 2_400, chunk: 400) == nil)
        bench.loseLink()
        // A bit decays that is in the kept part.
        let place = bench.store.area.content(.first) + 100
        bench.flash.contents[place] ^= 0x80
        #expect(bench.send(file) == .done)
        #expect(bench.content() == file.content)
        #expect(bench.frames.filter { $0.step == .resume(from: 0) }.count == 1)
        #expect(bench.frames.contains { $0.step == .resume(from: 2_400) })
    }

    @Test
    func `a transfer goes on where it was: on a new link at the byte, after a restart at the last mark of 1,024`() {
        let file = SentFile((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, transfer: 1)
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.begin(file, upTo: 3_000, chunk: 300) == nil)
        var later = FileBench(bench.flash)
        bench.loseLink()
        #expect(bench.send(file) == .done)
        #expect(bench.frames.first?.step == .resume(from: 3_000))
        #expect(later.send(file) == .done)
        #expect(later.frames.first?.step == .resume(from: 2_048))
        #expect(later.content() == file.content)
        #expect(later.flash.counts.violations == 0)
    }

    @Test
    func `a file that was stored is not sent again where its sender has not heard of it, also behind the next one`() {
        let (first, second) = (SentFile([1, 2, 3], transfer: 1), SentFile([4], transfer: 2))
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.send(first) == .done)
        bench.loseLink()
        #expect(bench.send(first) == .done)
        #expect(bench.frames.map(\.step) == [.resume(from: 3), .done])
        #expect(bench.send(second) == .done)
        bench.loseLink()
        #expect(bench.send(first) == .done)
        #expect(bench.frames.map(\.step) == [.resume(from: 3), .done])
        #expect(bench.content() == second.content)
        // Under the same number with another hash it is another file.
        #expect(bench.send(SentFile([9, 9], transfer: 2)) == .done)
        #expect(bench.content() == [9, 9])
    }

    @Test func `a file whose link is lost while it is checked is stored all the same, and its sender hears that`() {
        let file = SentFile([UInt8](repeating: 3, count: 900), transfer: 1)
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.begin(file, upTo: 900, chunk: 450) == nil)
        bench.loseLink()
        #expect(bench.send(file) == .done)
        #expect(bench.frames.map(\.step) == [.resume(from: 900), .done])
        #expect(bench.content() == file.content)
    }

    @Test
    func `what the handler cancels is refused when it is offered again, also after a restart; another file is taken`() {
        let file = SentFile([UInt8](repeating: 3, count: 2_000), transfer: 1)
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.cancelOnWatch() == 0)
        bench.offer(file)
        bench.settle()
        #expect(bench.chunk(file.content[..<400], at: 0, of: 1) == nil)
        #expect(bench.cancelOnWatch() == 1)
        bench.settle()
        #expect(bench.frames.last?.step == .refusal(.cancelled))
        // Chunks that were on their way mean nothing.
        #expect(bench.chunk(file.content[400..<800], at: 400, of: 1) == nil)
        bench.loseLink()
        #expect(bench.send(file) == .refused(.cancelled))
        var later = FileBench(bench.flash)
        #expect(later.send(file) == .refused(.cancelled))
        #expect(later.send(SentFile([1], transfer: 2)) == .done)
    }

    @Test func `the sender's cancel ends a transfer, and the next file is taken`() {
        let file = SentFile([UInt8](repeating: 3, count: 2_000), transfer: 1)
        var bench = FileBench(MemoryFlash(.withFiles))
        bench.offer(file)
        bench.settle()
        #expect(bench.cancel(1) == nil)
        #expect(bench.chunk(file.content[..<400], at: 0, of: 1) == nil)
        bench.settle()
        #expect(bench.send(SentFile([1], transfer: 2)) == .done)
        #expect(bench.content() == [1])
    }

    @Test func `the chip is erased for sixteen files at once, and then for one every eight minutes`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        for transfer in 1...16 as ClosedRange<UInt64> {
            #expect(bench.send(SentFile([1], transfer: transfer)) == .done)
        }
        let last = SentFile([2], transfer: 17)
        #expect(bench.send(last) == .silent)
        let next = bench.store.deadline
        #expect(next == .start + .seconds(480))
        bench.now = .start + .seconds(480)
        bench.settle()
        #expect(bench.frames.last?.step == .resume(from: 0))
    }

    @Test
    func `a file whose time has come waits for the end of another erase, and not for a time that has passed`() throws {
        var bench = FileBench(MemoryFlash(.withFiles, eraseEnd: .onRequest))
        for transfer in 1...16 as ClosedRange<UInt64> {
            #expect(bench.send(SentFile([1], transfer: transfer)) == .done)
        }
        bench.offer(SentFile([2], transfer: 17))
        #expect(bench.store.maintain(flash: &bench.flash, at: bench.now) == false)
        let due = bench.store.deadline
        bench.now = try #require(due)
        try bench.flash.beginErase(sector: 0)
        #expect(bench.store.maintain(flash: &bench.flash, at: bench.now) == false)
        let next = bench.store.deadline
        #expect(next == nil)
    }

    @Test(arguments: 0..<12) func `a chip that fails refuses the file, and shows the one before`(operations: Int) {
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.send(SentFile([1, 2, 3], transfer: 1)) == .done)
        bench.flash.fault = .pending(.verifyFailed, operations: operations, noise: FlashNoise(seed: UInt64(operations)))
        let file = SentFile([UInt8](repeating: 7, count: 3_000), transfer: 2)
        let end = bench.send(file)
        #expect(end == .refused(.failed) || end == .done)
        #expect(bench.content() == (end == .done ? file.content : [1, 2, 3]))
        // The chip works again.
        #expect(bench.send(SentFile([5], transfer: 3)) == .done)
    }
}
