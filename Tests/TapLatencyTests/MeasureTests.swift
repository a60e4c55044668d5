import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TapLatency

@Suite struct MeasureTests {
    @Test func `Every tap of the shipping handler reaches every mark`() throws {
        let report = try measure(ShippingHandler(), taps: 20)
        for mark in LatencyMark.allCases { #expect(report.marks[mark]?.count == 20, "\(mark)") }
        #expect(report.handler == "shipping")
        #expect(report.profile == "memory-lcd")
        #expect(report.dirtyLines.update == 2)
        #expect(report.panelFloor.updated == Distribution(p50: 342, p90: 342, p99: 342, max: 342, count: 20))
        let legacy = try measure(LegacyHandler(), taps: 20)
        for mark in LatencyMark.allCases { #expect(legacy.marks[mark]?.count == 20, "\(mark)") }
    }

    @Test func `No tap falls on a row that is struck already`() throws {
        // This handler never removes a row, and a second strike of the same row would draw nothing.
        let report = try measure(StageSequence([.immediate(StrikeThrough.self)]), taps: 30)
        #expect(report.dirtyLines.update == 2)
        let updated = try #require(report.marks.updated)
        #expect(updated.count == 30)
        #expect(updated.p50 >= (try #require(report.panelFloor.updated)).p50)
        #expect(report.panelFloor.settled == nil)
    }
}

/// Limits on the times of taps. By default, `measure` uses the memory LCD, 128 items on the watch and 2,000 in the
/// phone's database.
@Suite struct DeviceGoalTests {
    @Test func `Shipping's update and removal do not grow with the list`() throws {
        let reports = try [8, 32, 128].map { try measure(ShippingHandler(), items: $0, taps: 40, rows: .top) }
        for mark in [LatencyMark.updated, .settled] {
            for figure in [\Distribution.p50, \.p99] {
                let times = try reports.map { Double(try #require($0.marks[mark])[keyPath: figure]) }
                #expect(try #require(times.max()) / (try #require(times.min())) <= 1.02, "\(mark)")
            }
        }
    }

    @Test func `Shipping is within a frame, and takes little more than the touch report and the panel`() throws {
        let shipping = try measure(ShippingHandler(), taps: 100)
        #expect(try #require(shipping.marks.handled).p99 <= 1_000)
        let updated = try #require(shipping.marks.updated)
        let settled = try #require(shipping.marks.settled)
        let floor = (
            updated: try #require(shipping.panelFloor.updated), settled: try #require(shipping.panelFloor.settled)
        )
        #expect(updated.p99 <= 8_000 && settled.p99 <= 16_700)
        let report = DeviceProfile.memoryLCD.touch.report.count
        #expect(percent(updated.p50, of: report + floor.updated.p50) <= 115)
        #expect(percent(updated.p99, of: report + floor.updated.p99) <= 115)
        #expect(percent(settled.p50, of: floor.settled.p50) <= 120)
        #expect(percent(settled.p99, of: floor.settled.p99) <= 120)
    }

    /// Rounds to whole per cent, because the addresses of the code in flash change the time of a tap by a microsecond.
    private func percent(_ time: some BinaryInteger, of floor: some BinaryInteger) -> Double {
        (100 * Double(time) / Double(floor)).rounded()
    }

    @Test func `Shipping is three hundred times as fast as legacy`() throws {
        let legacy = try #require(try measure(LegacyHandler(), taps: 20).marks.updated)
        let shipping = try #require(try measure(ShippingHandler(), taps: 20).marks.updated)
        #expect(legacy.p50 >= 300 * shipping.p50)
    }
}

struct TapEffectsMissingTests {
    private static let conditions = Conditions(taps: 5)
    private static let stages: [(PlacedStage, [MissingEffect])] = [
        (.immediate(StrikeThrough.self), [.strike]), (.deferred(Haptic.self), [.haptic]),
        (.deferred(RemainingCount.self), [.titleBar]), (.deferred(Placeholder.self), [.placeholder]),
        (.deferred(PhoneMessage.self), [.message]), (.immediate(AwaitedPhoneMessage.self), [.message]),
        (.deferred(ComplicationUpdate.self), [.complication]),
        (.immediate(ReloadingComplication.self), [.complication]),
        (.immediate(SortingDatabase.self), []), (.immediate(IncrementalSortingDatabase.self), []),
    ]
    private static let basicStages: [(PlacedStage, MissingEffect)] = [
        (.immediate(ListModel.self), .model), (.immediate(RowRemoval.self), .removal),
    ]

    @Test(arguments: stages)
    func `without a stage its effect is missing, and nothing else`(stage: PlacedStage, effects: [MissingEffect]) throws
    {
        #expect(try Self.conditions.absence(of: stage).missing == effects)
    }

    @Test(arguments: basicStages)
    func `without a stage that others build on, its effect is missing, too`(
        stage: PlacedStage, effect: MissingEffect
    ) throws {
        #expect(try Self.conditions.absence(of: stage).missing.contains(effect))
    }

    @Test func `every stage of the built-in handlers is among those that are left out here`() {
        let known = Set(Self.stages.map(\.0.name) + Self.basicStages.map(\.0.name))
        for handler in [StageSequence(of: ShippingHandler()), StageSequence(of: LegacyHandler())] {
            #expect(handler?.stages.allSatisfy { known.contains($0.name) } == true)
        }
    }

    @Test func `the lab's image has every stage of the built-in handlers and of the steps`() throws {
        let every = Set(try #require(StageSequence(of: EveryStage())).stages.map { ObjectIdentifier($0.stage) })
        let handlers = try [
            #require(StageSequence(of: ShippingHandler())), #require(StageSequence(of: LegacyHandler())),
        ]
        for placed in handlers.flatMap(\.stages) + LabStep.all.flatMap(\.stages) {
            #expect(every.contains(ObjectIdentifier(placed.stage)), "EveryStage lacks \(placed.name)")
        }
    }

    @Test func `each stage of the steps is added by one of them at least`() {
        let added = Set(LabStep.all.flatMap { $0.added.map(\.name) })
        let all = Set(LabStep.all.flatMap { $0.stages.map(\.name) })
        #expect(added == all)
    }
}
