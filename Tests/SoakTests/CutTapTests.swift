import Foundation
import Testing

@testable import soak

/// The power of a watch fails while it handles a tap: six times by default, and more often with NIGHTLY=yes.
struct CutTapTests {
    /// A wearer taps two rows, the second while the struck row of the first is held: the watch then stores the tap before it
    /// shows it. The power fails in an operation of the flash chip from there on, which the seed leaves half done, or whole.
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
