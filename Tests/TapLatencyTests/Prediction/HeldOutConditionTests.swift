import DeviceModel
import Testing
import Watch

@testable import TapLatency

@Suite struct HeldOutConditionTests {
    private let all = HeldOutCondition.all(
        Conditions(profile: .memoryLCD, items: 8, taps: 1, seed: 9, database: 8))

    /// What the table is counted on: shipping, with usual titles and seed 1, on these lists.
    private func isCounted(_ held: HeldOutCondition) -> Bool {
        let conditions = held.conditions
        func composition(_ stages: [PlacedStage]) -> [String] { stages.map { "\($0.placement) \($0.name)" } }
        let shipping = StageSequence(of: ShippingHandler())?.stages ?? []
        return composition(held.stages) == composition(shipping) && conditions.titles == .usual && conditions.seed == 1
            && conditions.rows == .visible && CountTable.columns.contains(conditions.listLength)
    }

    @Test func `there are more than twenty, each of a name of its own, and the table was counted on none`() {
        #expect(all.count > 20)
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(all.filter(isCounted).map(\.name) == [])
    }

    @Test func `lists, titles, seeds and handlers are among them`() {
        #expect(Set(all.map(\.conditions.listLength)).count > 8)
        #expect(Set(all.map(\.conditions.titles)) == [.usual, .short, .long])
        #expect(Set(all.map(\.conditions.seed)).count > 3)
        #expect(Set(all.map { $0.stages.map(\.name) }).count > 5)
    }
}
