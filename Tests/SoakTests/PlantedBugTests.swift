import Foundation
import Testing

@testable import Soak

struct PlantedBugTests {
    /// The seeds that each may take, which `TAPLINE_SOAK_SEEDS` says: a search takes longer than a test should.
    static let limit = ProcessInfo.processInfo.environment["TAPLINE_SOAK_SEEDS"].flatMap(UInt64.init)

    @Test(.enabled(if: limit != nil, "TAPLINE_SOAK_SEEDS is not set"), arguments: PlantedBug.all)
    func itIsFound(_ bug: PlantedBug) throws {
        let found = try #require(bug.search(in: 0..<(PlantedBugTests.limit ?? 0)), "\(bug.name) is not found")
        print("planted: \(bug.name): seed \(found.seed): \(found.violation.promise.rawValue): \(found.violation.what)")
    }

    /// The seeds that each may take in plans with its faults alone, which `TAPLINE_SOAK_SEEDS_OF_FAULTS` says.
    static let limitOfFaults = ProcessInfo.processInfo.environment["TAPLINE_SOAK_SEEDS_OF_FAULTS"].flatMap(UInt64.init)

    @Test(.enabled(if: limitOfFaults != nil, "TAPLINE_SOAK_SEEDS_OF_FAULTS is not set"), arguments: PlantedBug.all)
    func itIsFoundUnderItsFaults(_ bug: PlantedBug) throws {
        let limit = PlantedBugTests.limitOfFaults ?? 0
        let found = try #require(bug.searchUnderItsFaults(in: 0..<limit), "\(bug.name) is not found")
        print(
            "its faults: \(bug.name): seed \(found.seed): \(found.violation.promise.rawValue): \(found.violation.what)")
    }

    @Test(arguments: PlantedBug.all)
    func aKnownPlanFindsIt(_ bug: PlantedBug) throws {
        let plan = try #require(bug.knownPlan)
        #expect(plan.run(.silent, parts: bug.parts()).violation != nil)
        #expect(plan.run().violation == nil, "the same plan without the bug keeps every promise")
    }

    @Test func itsStoryIsMadeSmall() throws {
        let bug = PlantedBug.all[1]
        let plan = Plan(seed: try #require(bug.search(in: 0..<20)).seed)
        let small = plan.shrunk(parts: bug.parts())
        #expect(small.events.count <= 2)
        #expect(small.run(.silent, parts: bug.parts()).violation != nil)
    }
}
