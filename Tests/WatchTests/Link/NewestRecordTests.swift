import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// If the newest record in flash is an unsent check-off and decays beyond repair, the watch reports the loss. It does
/// not take the damage for an interrupted write.
struct NewestRecordTests {
    private typealias Bench = WatchBench<ShippingHandler>

    /// Returns a watch that has a list, but no link to its phone. Its journal has no maintenance left to do.
    private func bench() throws -> Bench {
        let bench = try Bench.connected(for: .seconds(2))
        bench.radio.cut()
        bench.run(for: .seconds(60))
        return bench
    }

    private func end(of flash: MemoryFlash) throws -> Int {
        var journal = JournalBench(flash)
        try journal.mount()
        return FlashGeometry.watch.capacity / 2 - journal.journal.free
    }

    @Test(arguments: [false, true])
    func `a check-off whose record decays is said to be lost, whichever bits do`(isRestarted: Bool) throws {
        var random = SplitMix64(seed: Seed.printed(for: "decaying bits of the newest check-off"))
        let bench = try bench()
        bench.tapAndWait(0)
        let place = try end(of: bench.flash.contents)
        bench.tapAndWait(0)
        if isRestarted { try bench.restart() }
        let kept = bench.flash.contents
        let size = JournalFormat.recordHeaderSize + Int(kept.contents[place + 2])
        for image in 0..<60 {
            var decayed = kept
            let bits = (0..<size * 8).shuffled(using: &random).prefix(image < 40 ? 2 : image - 36)
            for bit in bits { decayed.decay(at: place + bit / 8, mask: 1 << UInt8(bit % 8)) }
            bench.flash.change { $0 = decayed }
            try bench.restart()
            #expect(bench.screen.notice == .recordsLost, "bits \(bits)")
            #expect(bench.screen.waitingMessages == 1 && bench.titles.first == "Item 2", "bits \(bits)")
        }
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(bench.checkOffs == [1])
        bench.expectAgreement()
    }

    @Test func `power that fails right behind the record of a tap is no loss`() throws {
        let bench = try bench()
        let start = bench.flash.contents
        for cut in 0..<40 {
            bench.flash.change { $0 = start }
            try bench.restart()
            bench.run(for: .seconds(1))
            bench.flash.change { $0.failPower(afterOperations: 1, seed: UInt64(cut)) }
            bench.tapAndWait(0)
            #expect(bench.snapshot.haptics.count == 1)
            bench.flash.change { $0.power = .on }
            try bench.restart()
            #expect(bench.screen.notice == .none && bench.screen.waitingMessages == 1)
            bench.run(for: .seconds(1))
            try bench.restart()
            #expect(bench.screen.notice == .none && bench.screen.waitingMessages == 1)
        }
    }

    @Test func `what says that the newest record is whole comes once, behind the tap, and may fail`() throws {
        let bench = try bench()
        let before = bench.work.pagePrograms
        let place = try end(of: bench.flash.contents)
        bench.tap(0)
        #expect(bench.run { $0.haptics.count == 1 })
        #expect(try end(of: bench.flash.contents) <= place + 32)
        for _ in 0..<3 {
            bench.run(for: .seconds(600))
            let pages = bench.work.pagePrograms - before
            #expect(pages == 2 || pages == 3 && place % 256 > 256 - 48)
        }
        bench.flash.change { $0.failOnce(with: .verifyFailed, afterOperations: 1, seed: 5) }
        bench.tapAndWait(0)
        bench.run(for: .seconds(600))
        #expect(bench.screen.notice == .none && bench.snapshot.haptics.count == 2)
        try bench.restart()
        #expect(bench.screen.notice == .none && bench.screen.waitingMessages == 2)
    }

    private func attestations(in flash: MemoryFlash) -> Int {
        var gaps = 0
        for bank in [0, FlashGeometry.watch.capacity / 2] {
            var place = bank + JournalFormat.recordsOffset
            while flash.contents[place] != 0xFF {
                if flash.contents[place] == RecordKind.gap.rawValue { gaps += 1 }
                place += JournalFormat.stride(Int(flash.contents[place + 2]) | Int(flash.contents[place + 3]) << 8)
            }
        }
        return gaps
    }

    @Test func `with a phone nothing more is written of a tap`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        for _ in 0..<3 {
            bench.tapAndWait(0)
            bench.run(for: .seconds(60))
        }
        #expect(attestations(in: bench.flash.contents) == 0)
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tapAndWait(0)
        #expect(attestations(in: bench.flash.contents) == 1)
    }
}
