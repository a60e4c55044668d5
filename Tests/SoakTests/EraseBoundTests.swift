import DeviceModel
import Testing
import Watch

@testable import soak

struct EraseBoundTests {
    /// Returns a plan with `failures` taps. Before each tap, the plan makes one of the next flash operations fail.
    /// `first` varies which operation fails.
    private func plan(failures: Int, first: Int) -> Plan<WatchScenario> {
        let events = (0..<failures).flatMap { index -> [(Int, WatchEvent)] in
            let time = 2_000 + index * 5_000
            let error: WatchEvent.FlashTrouble = index % 2 == 0 ? .verifyFailed : .notResponding
            return [
                (time, .failFlash(watch: 0, afterOperations: (first + index) % 5, error: error)),
                (time + 700, .tap(watch: 0, row: 0)),
            ]
        }
        return Plan(seed: 1, cast: WatchCast(watches: 1, items: [12]), events)
    }

    @Test(arguments: 0..<5) func `Each operation that fails may cost the erases of one bank`(_ first: Int) {
        let outcome = plan(failures: 10, first: first).run()
        #expect(outcome.violation == nil)
        // The last planned failure may not happen, because it needs a flash operation.
        #expect(outcome.count(.flashFailure) >= 9)
    }

    @Test func `A chip that fails without a fault in the plan is found`() {
        // The chip refuses the mark of an erased bank. The journal erases the bank again each time, until it gives up.
        var parts = Parts()
        parts.flash.program = { chip, address, bytes throws(FlashError) in
            guard address % (chip.flashGeometry.capacity / 2) != 0 else { throw .verifyFailed }
            try chip.programFlash(at: address, bytes.span)
        }
        let plan = Plan<WatchScenario>(
            seed: 1, cast: WatchCast(watches: 1, items: [12]), [(10_000, .tap(watch: 0, row: 0))])
        #expect(plan.run().violation == nil)
        let violation = plan.run(parts: parts).violation
        #expect(violation?.promise == .boundedCost)
    }
}
