import Testing

@testable import soak

struct PlanTests {
    @Test func `a plan is read as it was written, also behind a story`() throws {
        for seed in UInt64(0)..<200 {
            for plan in Scenarios.plans(of: seed) {
                #expect(try Scenarios.plan(text: "a story\n\nits plan:\n" + plan.text).text == plan.text)
            }
        }
        let reason = "a plan has 1 to 4 watches, 1 or 2 phones, and at most 500 items each"
        #expect(throws: SoakError.notAPlan(reason: reason)) {
            let cast = WatchCast(watches: 5, items: [1])
            return try Scenarios.plan(text: Plan<WatchScenario>(seed: 1, cast: cast, events: []).text)
        }
    }

    @Test func `a seed tells the same story alone, among others, in another order and on another thread`() async {
        await expectSameStories(of: WatchScenario.self, 20..<24)
        await expectSameStories(of: DeliveryScenario.self, 0..<8)
        await expectSameStories(of: CalendarScenario.self, 0..<8)
    }

    private func expectSameStories<S: Scenario>(of scenario: S.Type, _ seeds: Range<UInt64>) async {
        let together = seeds.map { Plan<S>(seed: $0).run(told: true) }
        let backwards = seeds.reversed().map { Plan<S>(seed: $0).run(told: true) }
        #expect(Array(backwards.reversed()) == together)
        let (seed, outcome) = (seeds.lowerBound, together[0])
        #expect(await Task.detached { Plan<S>(seed: seed).run(told: true) }.value == outcome)
    }

    @Test func `plans keep every promise, and have every fault of the ends of a link and of a calendar server`() {
        let deliveries = expectFaults(of: DeliveryScenario.self)
        for kind in ["complication", "queued", "latest", "notification", "reply", "no reply", "file"] {
            #expect(deliveries.results[kind, default: 0] > 3, "\(kind)")
        }
        let calendars = expectFaults(of: CalendarScenario.self)
        for kind in ["received", "sent", "removed here", "deleted there"] {
            #expect(calendars.results[kind, default: 0] > 0, "\(kind)")
        }
    }

    /// Expects that each fault happens in a plan without other faults, and that no plan breaks a promise.
    private func expectFaults<S: Scenario>(of scenario: S.Type) -> Tally {
        var tally = Tally()
        for fault in scenario.faults {
            let seed = (0..<12 as Range<UInt64>).first { seed in
                let outcome = Plan<S>(seed: seed, faults: [fault]).run()
                #expect(outcome.violation == nil, "seed \(seed), \(fault)")
                tally.add(outcome.tally)
                return outcome.count(fault) > 0
            }
            #expect(seed != nil, "\(fault) never happens")
        }
        return tally
    }

    /// Plans a kill at each write of the cancellation, and after its last write. A killed program does not know whether
    /// it has cancelled.
    @Test(arguments: [DeliveryEvent.queue(end: .phone, count: 1), .send(end: .phone, bytes: 400)])
    func `a program that is killed as it cancels has cancelled, or has not`(deed: DeliveryEvent) {
        let cancellation: DeliveryEvent =
            if case .queue = deed { .withdraw(end: .phone) } else { .cancelSending(end: .phone) }
        let outcomes = (0..<6).map { writes in
            let kill = ComputerFault.kill(at: .write(after: writes), milliseconds: 500, losing: .nothing)
            return Plan<DeliveryScenario>(
                seed: 1, cast: DeliveryCast(),
                [
                    (3_000, .part(milliseconds: 5_000)), (3_500, deed), (4_000, .computer(end: .phone, fault: kill)),
                    (4_100, cancellation),
                ]
            ).run()
        }
        for outcome in outcomes { #expect(outcome.violation == nil) }
        #expect(Set(outcomes.map { $0.count(.kill) }) == [0, 1])
    }
}
