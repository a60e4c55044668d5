import Foundation
import Testing

@testable import Soak

@Suite("Plans of deliveries") struct DeliveryPlanTests {
    @Test("A plan is read as it was written")
    func text() throws {
        for seed in UInt64(0)..<200 {
            let plan = DeliveryPlan(seed: seed)
            #expect(try DeliveryPlan(text: "a story\n\nits plan:\n" + plan.text) == plan)
            guard case .deliveries(plan) = try SoakStory(text: plan.text) else { throw SoakError.notARange(plan.text) }
        }
        guard case .lists = try SoakStory(text: Plan(seed: 0).text) else { throw SoakError.notARange("lists") }
    }

    @Test("A seed gives the same story every time")
    func stories() {
        for seed in UInt64(0)..<20 {
            let first = DeliveryPlan(seed: seed).run(.told)
            #expect(DeliveryPlan(seed: seed).run(.told) == first)
        }
    }

    @Test("The first seeds keep every promise, and deliver of each kind")
    func first() {
        var delivered: [String: Int] = [:]
        for seed in UInt64(0)..<60 {
            let outcome = DeliveryPlan(seed: seed).run()
            #expect(outcome.violation == nil, "seed \(seed)")
            delivered.merge(outcome.delivered, uniquingKeysWith: +)
        }
        let kinds = ["complication", "queued", "latest", "notification", "reply", "no reply", "file"]
        #expect(kinds.allSatisfy { delivered[$0, default: 0] > 10 }, "\(delivered)")
    }
}

@Suite("Bugs that are planted in deliveries") struct PlantedDeliveryBugTests {
    /// The seeds that each may take, which `TAPLINE_SOAK_SEEDS` says: a search takes longer than a test should.
    static let limit = ProcessInfo.processInfo.environment["TAPLINE_SOAK_SEEDS"].flatMap(UInt64.init)

    @Test(
        "Seeds find it", .enabled(if: limit != nil, "TAPLINE_SOAK_SEEDS is not set"), arguments: PlantedDeliveryBug.all)
    func search(bug: PlantedDeliveryBug) throws {
        let found = bug.found(in: 0..<(PlantedDeliveryBugTests.limit ?? 0))
        print("planted: \(bug.name): \(found.count) seeds, \(found.prefix(5))")
        #expect(!found.isEmpty)
    }

    @Test("A known seed finds it", arguments: PlantedDeliveryBug.all)
    func known(bug: PlantedDeliveryBug) throws {
        let plan = DeliveryPlan(seed: bug.seed)
        #expect(plan.run(.silent, parts: bug.parts()).violation?.promise == bug.promise)
        #expect(plan.run().violation == nil, "the same plan without the bug keeps every promise")
    }

    @Test("Its story is made small")
    func small() throws {
        let bug = PlantedDeliveryBug.all[0]
        let plan = DeliveryPlan(seed: bug.seed).shrunk(parts: bug.parts())
        #expect(plan.deliveries.count <= 2)
        #expect(plan.run(.silent, parts: bug.parts()).violation?.promise == bug.promise)
    }
}
