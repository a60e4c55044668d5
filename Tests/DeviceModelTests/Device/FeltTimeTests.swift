import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

@Suite struct FeltTimeTests {
    private typealias Bench = WatchBench<ShippingHandler>

    enum Moment: CaseIterable {
        case quiet
        case erasing
        /// Irregular times, also while the flash journal writes a snapshot or changes banks.
        case any
    }

    private func bench(_ pace: FlashPace) throws -> Bench {
        let bench = try WatchBench.connected(items: 2_000, for: .seconds(10))
        bench.faults = WatchFaults(flash: pace)
        return bench
    }

    private func longest(_ bench: Bench, taps count: Int, at moment: Moment) throws -> Microseconds {
        let first = bench.snapshot.haptics.count
        var longest = Microseconds.zero
        for tap in 0..<count {
            wait(for: moment, bench)
            // The first row may still be struck through from the last tap.
            bench.tap(bench.screen.rows.first?.state == .waiting ? 0 : 1)
            bench.run(for: .milliseconds(60))
            let haptics = bench.snapshot.haptics
            #expect(haptics.count == first + tap + 1 && haptics.pulses.last?.pattern == .click)
            let touch = try #require(bench.snapshot.taps.last?.time(of: .touch))
            longest = max(longest, try #require(haptics.pulses.last?.time) - touch)
        }
        return longest
    }

    private func wait(for moment: Moment, _ bench: Bench) {
        switch moment {
        case .quiet: bench.run(for: .seconds(6))
        // The taps keep no fixed rhythm. They come about every 0.3 s, as fast as a wearer taps.
        case .any: bench.run(for: Microseconds(UInt64(230_000 + bench.clock.now.microseconds % 7_919)))
        case .erasing:
            let erases = bench.work.sectorErases
            for _ in 0..<600 {
                bench.run(for: .milliseconds(5))
                if bench.work.sectorErases > erases { return }
            }
        // No erase began within 3 s. The tap that follows brings the next erase nearer.
        }
    }

    @Test(arguments: [(.typical, .milliseconds(10)), (.maximum, .milliseconds(20))] as [(FlashPace, Microseconds)])
    func `A tap is felt within 10 ms at typical and 20 ms at maximum times of the flash chip`(
        pace: FlashPace, limit: Microseconds
    ) throws {
        let bench = try bench(pace)
        #expect(try longest(bench, taps: 40, at: .quiet) <= limit)
        let erases = bench.work.sectorErases
        #expect(try longest(bench, taps: 600, at: .any) <= limit)
        // At least two changes of banks.
        #expect(bench.work.sectorErases >= erases + 16)
    }

    @Test(arguments: [(.typical, .milliseconds(10)), (.maximum, .milliseconds(20))] as [(FlashPace, Microseconds)])
    func `Also while a sector is being erased`(pace: FlashPace, limit: Microseconds) throws {
        let bench = try bench(pace)
        // Runs until the next change of banks.
        let erases = bench.work.sectorErases
        while bench.work.sectorErases == erases { _ = try longest(bench, taps: 1, at: .any) }
        #expect(try longest(bench, taps: 6, at: .erasing) <= limit)
        #expect(bench.work.sectorErases >= erases + 6)
    }
}
