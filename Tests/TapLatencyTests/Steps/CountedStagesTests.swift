import DeviceModel
import Testing
import Watch

@testable import TapLatency

@Suite struct CountedStagesTests {
    /// Stages that the model charges no instructions: the shipping handler, on which the image's stages are counted, is
    /// without them.
    private static let uncounted: Set = ["sorting database"]

    @Test func `Every stage of a built-in handler and of the lab's steps was counted, or is named here`() throws {
        let shipping = try #require(StageSequence(of: ShippingHandler())).stages
        let legacy = try #require(StageSequence(of: LegacyHandler())).stages
        let stages = Set((shipping + legacy + LabStep.all.flatMap(\.stages)).map(\.name))
        for items in CountTable.columns {
            let counted = Set(CountTable.measured(items: items).stages.keys)
            #expect(stages == counted.union(Self.uncounted), "at \(items) items")
        }
    }

    @Test func `The remaining count takes as long on a long list as on a short one`() throws {
        let counts = try CountTable.columns.map { items in
            try #require(CountTable.measured(items: items).stages["remaining count"]).instructions
        }
        let most = try #require(counts.max())
        #expect(most <= 5_600)
        #expect(100 * most <= 102 * (try #require(counts.min())))
    }

    @Test func `The lab takes the legacy handler apart as it is`() throws {
        let legacy = try #require(StageSequence(of: LegacyHandler())).stages
        #expect(LabStep.all[1].stages.map(\.name) == legacy.map(\.name))
    }
}
