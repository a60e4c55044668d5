import Testing

@testable import Soak

struct PlanTests {
    @Test func aPlanIsReadAsItWasWritten() throws {
        for seed in UInt64(0)..<200 {
            let plan = Plan(seed: seed)
            #expect(try Plan(text: plan.text) == plan)
            #expect(try Plan(text: "a story\n\nits plan:\n" + plan.text) == plan)
        }
    }

    @Test func aSeedGivesTheSameStoryEveryTime() {
        for seed in UInt64(0)..<4 {
            let first = Plan(seed: seed).run(.told)
            #expect(Plan(seed: seed).run(.told) == first)
        }
    }
}
