import DeviceModel
import Testing
import Watch

@testable import TapLatency

/// What the lab says is missing without a stage, held against what the essay and the stages' own documentation say that they do.
struct TapEffectsMissingTests {
    private static let conditions = Conditions(taps: 5)

    private func missing(without stage: PlacedStage) throws -> [MissingEffect] {
        try Measurement.absence(of: stage, under: Self.conditions).missing
    }

    @Test func `without the strike-through the row is not struck through`() throws {
        #expect(try missing(without: .immediate(StrikeThrough.self)) == [.strike])
    }

    @Test func `without the list model the item still counts`() throws {
        #expect(try missing(without: .immediate(ListModel.self)).contains(.model))
    }

    @Test func `without the row removal the row stays`() throws {
        #expect(try missing(without: .immediate(RowRemoval.self)).contains(.removal))
    }

    @Test func `without the haptic nothing is felt`() throws {
        #expect(try missing(without: .deferred(Haptic.self)) == [.haptic])
    }

    @Test func `without the remaining count the title bar keeps the old one`() throws {
        #expect(try missing(without: .deferred(RemainingCount.self)) == [.titleBar])
    }

    @Test func `without the placeholder an empty list says nothing`() throws {
        #expect(try missing(without: .deferred(Placeholder.self)) == [.placeholder])
    }

    @Test(arguments: [PlacedStage.deferred(PhoneMessage.self), .immediate(AwaitedPhoneMessage.self)])
    func `without the message the phone does not learn of it`(stage: PlacedStage) throws {
        #expect(try missing(without: stage) == [.message])
    }

    @Test(arguments: [PlacedStage.deferred(ComplicationUpdate.self), .immediate(ReloadingComplication.self)])
    func `without the complication's update it names the item`(stage: PlacedStage) throws {
        #expect(try missing(without: stage) == [.complication])
    }

    @Test(arguments: [PlacedStage.immediate(SortingDatabase.self), .immediate(IncrementalSortingDatabase.self)])
    func `without the sorting database nothing is missing`(stage: PlacedStage) throws {
        #expect(try missing(without: stage) == [])
    }

    @Test func `each stage of the steps is added by one of them at least`() {
        let added = Set(LabStep.all.flatMap { $0.added.map(\.name) })
        let all = Set(LabStep.all.flatMap { $0.stages.map(\.name) })
        #expect(added == all)
    }
}
