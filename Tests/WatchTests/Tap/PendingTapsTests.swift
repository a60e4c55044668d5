import DeviceModel
import Testing
import WatchLink

@testable import Watch

struct PendingTapsTests {
    private let memory = PartMemory()

    private func line() -> PendingTaps {
        var arena = memory.arena
        return PendingTaps(arena: &arena)
    }

    private func time(_ milliseconds: UInt32) -> Instant { .start + .milliseconds(milliseconds) }

    @Test func `taps are numbered from 1`() {
        var line = line()
        #expect((1...3).map { line.begin(ItemID($0), row: 0, touchedAt: .start).number.count } == [1, 2, 3])
    }

    @Test func `a hold has an item and an end`() {
        var line = line()
        let tap = line.begin(ItemID(4), row: 128, touchedAt: .start)
        #expect(tap.row == 128)
        line.holdRow(of: tap, until: time(250))
        #expect(line.holdsRow && line.heldItem == ItemID(4) && line.deadline == time(250))
        #expect(line.holdsRow(of: ItemID(4)) && !line.holdsRow(of: ItemID(5)))
        let ended = line.endHold(at: time(250))
        #expect(ended?.tap.item == ItemID(4))
        #expect(!line.holdsRow && line.heldItem == nil && line.deadline == nil)
        let again = line.endHold(at: time(251))
        #expect(again == nil)
    }

    @Test(arguments: [(updated: 2, ended: 260, delay: 248), (2, 100, 98), (400, 401, 0)] as [(UInt32, UInt32, UInt32)])
    func `the intended delay runs from the update to the end of the hold`(
        updated: UInt32, ended: UInt32, delay: UInt32
    ) {
        var line = line()
        let tap = line.begin(ItemID(1), row: 0, touchedAt: .start)
        line.holdRow(of: tap, until: time(250))
        line.recordUpdate(at: time(updated))
        let hold = line.endHold(at: time(ended))
        #expect(hold?.held == .milliseconds(delay))
    }

    @Test func `deferred stages run tap by tap, in order`() {
        var line = line()
        for id in 1...2 as ClosedRange<UInt32> {
            let tap = line.begin(ItemID(id), row: 0, touchedAt: .start); line.deferred.append(tap)
        }
        var ran: [String] = []
        while let (tap, stage) = line.deferred.next(stagesPerTap: 3) { ran.append("\(tap.item.rawValue).\(stage)") }
        #expect(ran == ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"])
        #expect(line.deferred.isEmpty)
    }

    @Test func `a full queue has room again after the last stage of a tap`() {
        var line = line()
        for id in 1...UInt32(WatchLimits.deferredTaps) {
            let tap = line.begin(ItemID(id), row: 0, touchedAt: .start); line.deferred.append(tap)
        }
        #expect(line.deferred.isFull && line.deferred.count == WatchLimits.deferredTaps)
        _ = line.deferred.next(stagesPerTap: 2)
        #expect(line.deferred.isFull)
        _ = line.deferred.next(stagesPerTap: 2)
        #expect(!line.deferred.isFull)
    }
}

private struct MixedHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Deferred(Haptic.self)
        Immediate(ListModel.self)
        Deferred(RemainingCount.self)
        Immediate(StrikeThrough.self)
        Deferred(ComplicationUpdate.self)
    }
}

private struct IdleHandler: ComposedTapHandler {
    var stages: some TapHandler {}
}

struct ComposedTapHandlerTests {
    @Test func `immediate stages run first, then the deferred ones, each in the order of the source`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 3), handler: MixedHandler())
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
        let bench = try WatchBench(phone: InMemoryPhone(items: 3), handler: IdleHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(bench.screen.remaining == 3 && bench.titles.count == 3)
    }
}
