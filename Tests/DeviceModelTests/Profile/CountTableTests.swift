import Testing
import Watch

@testable import DeviceModel

@Suite struct CountTableTests {
    @Test func `The column is that of the number's digits`() {
        // The news are drawn with a new title bar, which has the number.
        func count(_ items: Int) -> CodeCount { CountTable.measured(items: items).news }
        #expect(count(0) == count(8))
        #expect(count(11) == count(32))
        #expect(count(100) == count(32))
        #expect(count(101) == count(128))
        #expect(count(1_000) == count(128))
        #expect(count(1_001) == count(2_000))
        #expect(count(128) != count(2_000))
        #expect(count(8) != count(32))
        #expect(count(32) != count(128))
    }

    @Test func `Every stage of the shipping handler was counted`() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 8), handler: ShippingHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(1))
        let table = CountTable.measured(items: 8)
        let stages = try #require(bench.snapshot.taps.first?.stages)
        #expect(Set(stages.map(\.name)) == Set(table.stages.keys))
        for stage in stages {
            let modelled = bench.profile.processor.time(cycles: try #require(table.stages[stage.name]).cycles)
            let spent = try #require(stage.spent)
            // A part of a microsecond from before the stage may count with it.
            #expect((modelled.count...modelled.count + 1).contains(spent.processor.count), "\(stage.name)")
        }
    }
}
