import Foundation
import Testing

@testable import soak

struct PlantedBugTests {
    @Test(arguments: PlantedBug<WatchScenario>.all)
    func `a known plan finds a bug in watches or their phone`(bug: PlantedBug<WatchScenario>) {
        #expect(bug.broken(in: bug.plan) == bug.promise)
    }

    @Test(arguments: PlantedBug<DeliveryScenario>.all)
    func `a known plan finds a bug in deliveries`(bug: PlantedBug<DeliveryScenario>) {
        #expect(bug.broken(in: bug.plan) == bug.promise)
    }

    @Test(arguments: PlantedBug<CalendarScenario>.all)
    func `a known plan finds a bug in calendars`(bug: PlantedBug<CalendarScenario>) {
        #expect(bug.broken(in: bug.plan) == bug.promise)
    }

    @Test func `the story of a bug is made small`() {
        expectSmall(PlantedBug<WatchScenario>.all[1], events: 2)
        expectSmall(PlantedBug<DeliveryScenario>.all[0], events: 2)
        expectSmall(PlantedBug<CalendarScenario>.all[0], events: 8)
    }

    private func expectSmall<S>(_ bug: PlantedBug<S>, events: Int) {
        let small = bug.plan.shrunk(parts: bug.parts())
        #expect(small.events.count <= events)
        #expect(small.run(parts: bug.parts()).violation?.promise == bug.promise)
    }

    // MARK: Searches

    /// The number of seeds that a search tries, from `TAPLINE_SOAK_SEEDS`. The search takes hours, so it runs only if
    /// this is set.
    static let limit = ProcessInfo.processInfo.environment["TAPLINE_SOAK_SEEDS"].flatMap(UInt64.init)

    @Test(.enabled(if: limit != nil, "TAPLINE_SOAK_SEEDS is not set")) func `seeds find every bug`() {
        for bug in PlantedBug<DeliveryScenario>.all { expectSeeds(find: bug) }
        for bug in PlantedBug<WatchScenario>.all { expectSeeds(find: bug) }
        for bug in PlantedBug<CalendarScenario>.all { expectSeeds(find: bug) }
    }

    private func expectSeeds<S>(find bug: PlantedBug<S>) {
        let found = (0..<(PlantedBugTests.limit ?? 0)).lazy.filter { bug.broken(in: Plan(seed: $0)) == bug.promise }
            .prefix(5)
        print("planted: \(bug.name): seeds \(Array(found))")
        #expect(!found.isEmpty, "\(bug.name) is not found")
    }
}
