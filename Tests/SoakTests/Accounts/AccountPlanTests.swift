import Foundation
import Testing

@testable import Soak

@Suite("Plans of accounts") struct AccountPlanTests {
    @Test("A plan is read as it was written")
    func text() throws {
        for seed in UInt64(0)..<200 {
            let plan = AccountPlan(seed: seed)
            #expect(try AccountPlan(text: "a story\n\nits plan:\n" + plan.text) == plan)
            guard case .accounts(plan) = try SoakStory(text: plan.text) else { throw SoakError.notARange(plan.text) }
        }
        #expect(throws: SoakError.self) {
            try AccountPlan(
                text: #"{"seed":1,"versions":"counted","accounts":[{"at":1,"what":{"sync":{"phone":2}}}]}"#)
        }
    }

    @Test("A seed gives the same story every time, whatever ran before it")
    func stories() {
        let seeds = UInt64(0)..<20
        let first = seeds.map { AccountPlan(seed: $0).run(.told) }
        #expect(Array(seeds.reversed().map { AccountPlan(seed: $0).run(.told) }.reversed()) == first)
    }

    @Test("The first seeds keep every promise, and sync in every way")
    func first() {
        var synced: [String: Int] = [:]
        var faults: Set<SharingFault> = []
        for seed in UInt64(0)..<120 {
            let outcome = AccountPlan(seed: seed).run()
            #expect(outcome.violation == nil, "seed \(seed)")
            synced.merge(outcome.synced, uniquingKeysWith: +)
            faults.formUnion(outcome.faults.keys)
        }
        #expect(["received", "sent", "removed here", "deleted there"].allSatisfy { synced[$0, default: 0] > 10 })
        #expect(faults == Set(SharingFault.allCases), "\(Set(SharingFault.allCases).subtracting(faults))")
    }
}

@Suite("Bugs that are planted in accounts") struct PlantedAccountBugTests {
    /// The seeds that each may take, which `TAPLINE_SOAK_SEEDS` says: a search takes longer than a test should.
    static let limit = ProcessInfo.processInfo.environment["TAPLINE_SOAK_SEEDS"].flatMap(UInt64.init)

    @Test(
        "Seeds find it", .enabled(if: limit != nil, "TAPLINE_SOAK_SEEDS is not set"), arguments: PlantedAccountBug.all)
    func search(bug: PlantedAccountBug) throws {
        let found = bug.found(in: 0..<(PlantedAccountBugTests.limit ?? 0))
        let seeds = found.map { "\($0.key.rawValue): \($0.value.count), \($0.value.prefix(5))" }.sorted()
        print("planted: \(bug.name): \(seeds.joined(separator: "; "))")
        #expect(found[bug.promise] != nil)
    }

    @Test("A known seed finds it", arguments: PlantedAccountBug.all)
    func known(bug: PlantedAccountBug) throws {
        let plan = AccountPlan(seed: bug.seed)
        #expect(plan.run(.silent, parts: bug.parts()).violation?.promise == bug.promise)
        #expect(plan.run().violation == nil, "the same plan without the bug keeps every promise")
    }

    @Test("Its story is made small")
    func small() throws {
        let bug = PlantedAccountBug.all[0]
        let plan = AccountPlan(seed: bug.seed).shrunk(parts: bug.parts())
        #expect(plan.accounts.count <= 8)
        #expect(plan.run(.silent, parts: bug.parts()).violation?.promise == bug.promise)
    }
}
