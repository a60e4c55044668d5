import DeviceModel
import Testing
import WatchLink

@testable import Watch

/// Stages before and after the update, mixed in the source.
private struct MixedHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Deferred(Haptic.self)
        Immediate(ListModel.self)
        Deferred(RemainingCount.self)
        Immediate(StrikeThrough.self)
        Deferred(ComplicationUpdate.self)
    }
}

/// No stage at all.
private struct IdleHandler: ComposedTapHandler {
    var stages: some TapHandler {}
}

@Suite struct ComposedTapHandlerTests {
    @Test func `immediate stages run first, then the deferred ones, each in the order of the source`() throws {
        let bench = try WatchBench(phone: SimulatedPhone(items: 3), handler: MixedHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(1))
        let tap = try #require(bench.snapshot.taps.first)
        #expect(
            tap.stages.map(\.name) == ["list model", "strike-through", "haptic", "remaining count", "complication"])
        let updated = try #require(tap.time(of: .updated))
        #expect(tap.stages.map { $0.began >= updated } == [false, false, true, true, true])
    }

    @Test func `a handler without stages leaves the item`() throws {
        #expect(IdleHandler().deferredCount == 0)
        let bench = try WatchBench(phone: SimulatedPhone(items: 3), handler: IdleHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.screen.remaining == 3 && bench.titles.count == 3)
    }
}
