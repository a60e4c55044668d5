import DeviceModel
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct FileFaultTests {
    private let file = SentFile([UInt8](repeating: 3, count: 4_000), transfer: 1)

    private func begun() -> FileBench<MemoryFlash> {
        var bench = FileBench(MemoryFlash(.withFiles))
        bench.offer(file)
        bench.settle()
        return bench
    }

    @Test func `a chunk before resume, with a gap, twice, or beyond the length is fault 10`() {
        var early = FileBench(MemoryFlash(.withFiles))
        early.offer(file)
        #expect(early.chunk(file.content[..<10], at: 0, of: 1) == .brokenTransfer)
        var bench = begun()
        #expect(bench.chunk(file.content[..<10], at: 1, of: 1) == .brokenTransfer)
        bench = begun()
        #expect(bench.chunk(file.content[..<10], at: 0, of: 1) == nil)
        #expect(bench.chunk(file.content[..<10], at: 0, of: 1) == .brokenTransfer)
        bench = begun()
        #expect(bench.chunk(file.content[..<10], at: 1 << 32, of: 1) == .brokenTransfer)
        bench = begun()
        for start in stride(from: 0, to: 4_000, by: 400) {
            if start < 3_600 { #expect(bench.chunk(file.content[start..<start + 400], at: start, of: 1) == nil) }
            bench.settle()
        }
        #expect(bench.chunk([UInt8](repeating: 3, count: 401)[...], at: 3_600, of: 1) == .brokenTransfer)
    }

    @Test func `a transfer that was never offered is fault 10, a number that is left out fault 4`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        #expect(bench.chunk([1], at: 0, of: 1) == .brokenTransfer)
        #expect(bench.cancel(1) == .brokenTransfer)
        for step in [FileStep.done, .resume(from: 0), .progress(to: 0), .refusal(.failed)] {
            #expect(bench.send(FileHeader(number: 1, step: step)) { _ in } == .brokenTransfer)
        }
        bench.offer(file)
        bench.loseLink()
        bench.offer(file)
        #expect(bench.send(FileHeader(number: 3, step: .offer)) { _ in } == .sequenceGap)
    }

    @Test func `offers without an end, whose answers the phone does not fetch, are fault 5`() {
        var bench = FileBench(MemoryFlash(.withFiles))
        var fault: ProtocolFault?
        var count = 0
        while fault == nil, count < 100 {
            fault = bench.offer(file)
            count += 1
        }
        #expect(fault == .windowExceeded)
        #expect(count <= 16)
    }

    @Test(arguments: 0...16)
    func `a phone that fetches no answer can neither make the watch forget one nor trap`(refused: Int) {
        var bench = FileBench(MemoryFlash(.withFiles))
        let kept = SentFile([UInt8](repeating: 0xA5, count: 2_000), transfer: 9)
        var wrong = kept
        wrong.hash[31] ^= 1
        bench.offer(wrong)
        bench.settle()
        for start in stride(from: 0, to: 1_200, by: 400) {
            #expect(bench.chunk(wrong.content[start..<start + 400], at: start, of: 1) == nil)
        }
        bench.loseLink()
        // From here on nothing that the watch says is fetched.
        var fault: ProtocolFault?
        for _ in 0..<refused where fault == nil { fault = bench.offer(SentFile([1], label: ".no", transfer: 3)) }
        if fault == nil { fault = bench.offer(wrong) }
        let number = bench.offered
        for (from, chunk) in [(1_200, 100), (0, 250)] where fault == nil {
            for start in stride(from: from, to: 2_000, by: chunk) where fault == nil {
                fault = bench.chunk(wrong.content[start..<start + chunk], at: start, of: number)
            }
            while bench.store.maintain(flash: &bench.flash, at: bench.now) { bench.flash.finishErase() }
        }
        guard fault == nil else {
            #expect(fault == .windowExceeded)
            return
        }
        bench.settle()
        #expect(bench.frames.last == FileHeader(number: number, step: .refusal(.wrongHash)))
        #expect(bench.frames.count { $0.step == .refusal(.badLabel) } == refused)
    }

    @Test func `no bytes trap: every frame that is cut short or changed is taken, refused or a fault`() throws {
        withSeeds(20, "file frames of any bytes") { random, seed in
            var bench = FileBench(MemoryFlash(.withFiles))
            for _ in 0..<300 {
                var frame = [
                    0x15, 0, 0, 0, 0, UInt8.random(in: 0...3, using: &random), UInt8.random(in: 0...7, using: &random),
                ]
                frame += random.once(in: 2) ? [0, 0, 0, 0, 0, 0, 0, UInt8.random(in: 0...20, using: &random)] : []
                frame += random.bytes(Int.random(in: 0...40, using: &random))
                if random.once(in: 4) { bench.offer(SentFile(random.bytes(30), transfer: random.next() | 1)) }
                if bench.take(frame) != nil { bench.loseLink() }
                if random.once(in: 3) { bench.settle() }
            }
            bench.loseLink()
            let end = bench.send(SentFile([1, 2], transfer: 99))
            #expect(end == .done || end == .refused(.busy) || bench.store.deadline != nil, "seed \(seed)")
        }
    }
}

struct FilePowerCutTests {
    @Test
    func `whenever the power fails, the file is the one before or the new one, and the transfer then ends well`() {
        let seed = Seed.printed(for: "power cut at every operation of a file")
        var random = SplitMix64(seed: seed)
        let (old, new) = (SentFile(random.bytes(1_500), transfer: 1), SentFile(random.bytes(2_200), transfer: 2))
        var bench = FileBench(MemoryFlash(.withSmallFiles, eraseEnd: .afterQueries(1)))
        #expect(bench.send(old) == .done)
        let chip = bench.flash
        var operations = 0
        while true {
            var cut = FileBench(chip)
            cut.flash.power = .failing(operations: operations, noise: FlashNoise(seed: seed &+ UInt64(operations)))
            let end = cut.send(new, chunk: 300)
            if case .failing = cut.flash.power { break }
            var flash = cut.flash
            flash.power = .on
            var later = FileBench(flash)
            let found = later.content()
            #expect([old.content, new.content].contains { $0 == found }, "operation \(operations), seed \(seed)")
            if end == .done { #expect(found == new.content, "operation \(operations), seed \(seed)") }
            #expect(later.send(new, chunk: 300) == .done, "operation \(operations), seed \(seed)")
            #expect(later.content() == new.content, "operation \(operations), seed \(seed)")
            #expect(later.flash.counts.violations == 0, "operation \(operations), seed \(seed)")
            operations += 1
        }
        #expect(operations > 12)
    }
}
