import DeviceModel
import Testing
import WatchLink

@testable import Watch

@Suite struct LegacyHandlerTests {
    @Test func thePanelWaitsForThePhoneTheFlashAndTheReload() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 128), handler: LegacyHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(20))
        let tap = try #require(bench.snapshot.taps.first)
        let acknowledged = try #require(tap.time(of: .acknowledged))
        let updated = try #require(tap.time(of: .updated))
        #expect(acknowledged < updated)
        #expect(bench.phone.reloads == 1)
        #expect(tap.stages.count == 9)
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func touchesThatWaitWhileItWorksHitTheRowsThatWereUnderThem() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 128), handler: LegacyHandler())
        bench.connect()
        let start = bench.clock.now + .seconds(1)
        for row in 0..<5 { bench.watch.send(.tap(row: row), at: start + .milliseconds(UInt32(20 * row))) }
        bench.run(for: .seconds(60))
        // The panel has changed twice when the fourth is looked at: its row is not known any more, so it is nobody's.
        #expect(bench.checkOffs == [1, 2, 3])
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func withoutAPhoneItDoesNotWaitForOne() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 8), handler: LegacyHandler())
        bench.connect()
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tap(0)
        let tap = try #require(bench.snapshot.taps.first)
        #expect(try #require(tap.tapToUpdate) < .seconds(1))
        bench.connect()
        #expect(bench.phone.checkOffs.map(\.id) == [1])
    }
}
