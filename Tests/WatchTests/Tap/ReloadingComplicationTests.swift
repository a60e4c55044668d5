import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// `LegacyHandler` with 2,000 items on the phone. At every tap, the phone sends the whole list again.
struct ReloadingComplicationTests {
    private static let items = 2_000

    private func bench(_ profile: DeviceProfile = .memoryLCD) throws -> WatchBench<LegacyHandler> {
        let bench = try WatchBench(phone: InMemoryPhone(items: Self.items), handler: LegacyHandler(), profile: profile)
        bench.connect()
        return bench
    }

    private func taps(_ count: Int, _ bench: WatchBench<LegacyHandler>, pause: Microseconds) -> [TapHistory] {
        for _ in 0..<count {
            bench.run(for: pause)
            bench.tap(0)
        }
        bench.run(for: .seconds(10))
        return Array(bench.snapshot.taps.suffix(count))
    }

    private func median(_ taps: [TapHistory]) throws -> Microseconds {
        try taps.map { try #require($0.tapToUpdate) }.sorted { $0 < $1 }[taps.count / 2]
    }

    private func spent(_ taps: [TapHistory], _ part: KeyPath<TimeSpent, Microseconds>) -> Microseconds {
        taps.flatMap(\.stages).reduce(Microseconds.zero) { $0 + ($1.spent?[keyPath: part] ?? .zero) }
    }

    private func expectInStep(_ bench: WatchBench<LegacyHandler>, taps: Int, _ comment: Comment) {
        let numbers: [UInt32] = (0..<taps).map { UInt32($0 + 1) }
        #expect(bench.phone.checkOffs.map(\.id) == numbers, comment)
        #expect(bench.titles == bench.phone.waiting.prefix(WatchLimits.items).map(\.title), comment)
        #expect(bench.screen.remaining == UInt32(Self.items - taps), comment)
        #expect(bench.screen.isSynchronized, comment)
    }

    @Test(arguments: [Microseconds.seconds(1), .seconds(20)])
    func `a tap takes the events that its packets need, also after a rest`(pause: Microseconds) throws {
        let bench = try bench()
        let taps = taps(9, bench, pause: pause)
        // A reload has 45,518 bytes. The three packets of a connection event carry at most 735. Events are 15 ms apart.
        #expect(try median(taps) >= Microseconds(45_518 / 735 * 15_000))
        expectInStep(bench, taps: 9, "after pauses of \(pause)")
        #expect(bench.phone.reloads == 9)
    }

    @Test func `the time goes to the radio, and some of it to the phone, the processor and the flash chip`() throws {
        let all = taps(9, try bench(), pause: .seconds(1))
        var profile = DeviceProfile.memoryLCD
        profile.phone = PhoneCost(readThousandRows: .zero, commit: .zero)
        let withoutPhone = taps(9, try bench(profile), pause: .seconds(1))
        profile.radio = DeviceProfile.instant.radio
        let withoutRadio = taps(9, try bench(profile), pause: .seconds(1))
        let whole = try median(all).count
        let phone = whole - (try median(withoutPhone)).count
        let rest = try median(withoutRadio).count
        // The phone takes 60 ms, for the transaction of the check-off and the transaction that reads every row. After
        // each, the link waits for the next connection event anyway, which hides up to 15 ms. Another 15 ms are hidden
        // if an event before had packets to spare.
        #expect(phone >= 15_000 && phone <= 90_000, "\(phone)")
        #expect(rest <= 200_000, "what is left is the board's own: flash, panel and processor")
        #expect((whole - phone - rest) * 100 >= whole * 88, "nearly nine tenths are the radio's")
        #expect(spent(all, \.processor) > spent(all, \.flash))
        #expect(spent(all, \.flash) > spent(all, \.panel))
        #expect(spent(all, \.idle).count * 10 >= spent(all, \.total).count * 8)
    }

    @Test func `rows that the watch has no room for are not written to its flash`() throws {
        let short = try WatchBench(phone: InMemoryPhone(items: WatchLimits.items + 1), handler: LegacyHandler())
        short.connect()
        let long = try bench()
        func programs(_ bench: WatchBench<LegacyHandler>) -> Int {
            let before = bench.work.pagePrograms
            bench.tap(0)
            return bench.work.pagePrograms - before
        }
        // After the last row that it cannot store, the watch writes one record of its position.
        #expect(programs(long) - programs(short) <= 4)
    }

    @Test(arguments: [0, 300, 900, 1_200, 1_700, 2_400])
    func `a cut in the middle ends the tap, and loses and doubles nothing`(milliseconds: Int) throws {
        let bench = try bench()
        let cut = bench.clock.now + .milliseconds(UInt32(1_000 + milliseconds))
        let radio = bench.radio
        bench.clock.schedule(at: cut) { radio.cut() }
        bench.run(for: .seconds(1))
        bench.tap(0)
        let tap = try #require(bench.snapshot.taps.first)
        #expect(try #require(tap.tapToUpdate) <= .milliseconds(UInt32(milliseconds + 200)))
        bench.run(for: .seconds(1))
        bench.connect()
        bench.run(for: .seconds(10))
        expectInStep(bench, taps: 1, "cut after \(milliseconds) ms")
        try bench.restart()
        bench.connect()
        expectInStep(bench, taps: 1, "cut after \(milliseconds) ms, and a restart")
    }

    @Test(arguments: [0, 300, 900, 1_200, 1_700, 2_400])
    func `a loss of power in the middle loses and doubles nothing`(milliseconds: Int) throws {
        let bench = try bench()
        let flash = bench.flash
        let power = bench.clock.now + .milliseconds(UInt32(1_000 + milliseconds))
        let radio = bench.radio
        // From this time on, the watch programs and sends nothing.
        bench.clock.schedule(at: power) {
            flash.change { $0.failPower(afterOperations: 0, seed: 1) }
            radio.cut()
        }
        bench.run(for: .seconds(1))
        bench.tap(0)
        flash.change { $0.restorePower() }
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(10))
        #expect(Set(bench.phone.checkOffs.map(\.id)).count == bench.phone.checkOffs.count)
        #expect(bench.titles == bench.phone.waiting.prefix(WatchLimits.items).map(\.title))
        #expect(bench.screen.remaining == UInt32(bench.phone.waitingCount))
    }

    @Test func `a phone that answers too late ends the tap after its patience, and what comes later is applied`() throws
    {
        let bench = try bench()
        bench.faults = WatchFaults(phone: .seconds(7))
        bench.tap(0)
        let tap = try #require(bench.snapshot.taps.first)
        // The handler waits five seconds for the acknowledgement, and five seconds for the reload.
        #expect(try #require(tap.tapToUpdate) >= .seconds(10))
        #expect(try #require(tap.tapToUpdate) <= .milliseconds(10_200))
        bench.run(until: { $0.description.isSynchronized })
        bench.run(for: .seconds(20))
        expectInStep(bench, taps: 1, "after a slow phone")
        bench.faults = WatchFaults()
        bench.tap(0)
        #expect(try #require(bench.snapshot.taps.last?.tapToUpdate) < .seconds(5))
        expectInStep(bench, taps: 2, "after it is fast again")
    }
}
