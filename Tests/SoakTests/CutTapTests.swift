import Foundation
import Testing

@testable import soak

/// The power of a watch fails while the watch handles a tap. Each test runs 6 seeds, or 25 with NIGHTLY=yes.
struct CutTapTests {
    /// Returns a plan in which a wearer taps a second row while the watch still shows the first row struck through. The
    /// watch then stores the second tap before it strikes the second row. From just before the second tap, this many
    /// flash operations succeed. The power fails during the next operation, and the seed decides how much of that
    /// operation is done.
    private func plan(_ seed: UInt64, operations: Int) -> Plan<WatchScenario> {
        let events: [(Int, WatchEvent)] = [
            (2_000, .tap(watch: 0, row: 0)),
            (2_060, .losePower(watch: 0, afterOperations: operations, milliseconds: 100)),
            (2_150, .tap(watch: 0, row: 2)),
        ]
        return Plan(seed: seed, cast: WatchCast(watches: 1, items: [6]), events)
    }

    @Test(arguments: 1...3)
    func `A tap that is cut off before it is shown may be kept, because the wearer meant it`(_ operations: Int) {
        let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] != nil
        for seed in 1...(isNightly ? 25 : 6) as ClosedRange<UInt64> {
            let violation = plan(seed, operations: operations).run().violation
            #expect(violation == nil, "seed \(seed)")
        }
    }
}
