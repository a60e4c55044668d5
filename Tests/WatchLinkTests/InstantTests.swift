import SeededNumbers
import Testing
import WatchLink

struct InstantTests {
    @Test(arguments: [0, 999_999, 1_000_000, 63_999_999, 64_000_000])
    func `whole seconds are the length divided by a million`(_ count: UInt64) {
        #expect(Microseconds(count).wholeSeconds == UInt32(count / 1_000_000))
    }

    @Test func `whole seconds of any length, what is beyond 32 bits cut off`() {
        withSeeds(1, "whole seconds") { random, seed in
            for _ in 0..<10_000 {
                // Of every magnitude: nearly all of the numbers below 2^64 have its length.
                let count = UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0...63, using: &random)
                let expected = UInt32(truncatingIfNeeded: count / 1_000_000)
                #expect(Microseconds(count).wholeSeconds == expected, "TAPLINE_SEED=\(seed): \(count)")
            }
        }
    }
}
