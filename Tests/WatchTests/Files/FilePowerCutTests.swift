import DeviceModel
import SeededNumbers
import Testing
import WatchLink

@testable import Watch

struct FilePowerCutTests {
    @Test
    func `Whenever the power fails, the file is the one before or the new one, and the transfer then ends well`() {
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

    @Test func `Files through links and power that fail at random are whole or not there, and the last one arrives`() {
        withSeeds(30, "files through power cuts") { random, seed in
            var chip = MemoryFlash(.withSmallFiles, eraseEnd: .afterQueries(1))
            var whole: [[UInt8]] = []
            var file = SentFile(random.bytes(Int.random(in: 0...2_200, using: &random)), transfer: 1)
            for transfer in 2...30 as ClosedRange<UInt64> {
                var bench = FileBench(chip)
                bench.now = Instant.start + .seconds(480 * UInt32(transfer))
                if let found = bench.content() {
                    #expect(whole.contains(found) || found == file.content, "seed \(seed)")
                }
                if random.once(in: 2) {
                    let operations = Int.random(in: 0...20, using: &random)
                    bench.flash.power = .failing(operations: operations, noise: FlashNoise(seed: random.next()))
                }
                let end = bench.send(file, chunk: Int.random(in: 1...497, using: &random))
                chip = bench.flash
                chip.power = .on
                if end == .done || random.once(in: 3) {
                    whole.append(file.content)
                    let count = Int.random(in: 0...2_200, using: &random)
                    file = SentFile(random.bytes(count), transfer: transfer)
                }
            }
            var bench = FileBench(chip)
            #expect(bench.send(file) == .done, "seed \(seed)")
            #expect(bench.content() == file.content, "seed \(seed)")
            #expect(bench.flash.counts.violations == 0, "seed \(seed)")
        }
    }
}
