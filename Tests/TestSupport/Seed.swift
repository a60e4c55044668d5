import Foundation
import Testing
import WatchLink

/// Seeds for random tests. To repeat a run, set the environment variable `TAPLINE_SEED` to its seed.
package enum Seed {
    package static func chosen() -> UInt64 {
        given ?? UInt64.random(in: 0 ... .max)
    }

    package static func printed(for test: String) -> UInt64 {
        let seed = chosen()
        print("\(test): TAPLINE_SEED=\(seed)")
        return seed
    }

    package static var given: UInt64? {
        ProcessInfo.processInfo.environment["TAPLINE_SEED"].flatMap { UInt64($0) }
    }
}

/// How thorough random tests are. `Tests/run nightly` sets the environment variable `NIGHTLY`.
package enum TestLevel {
    case everyRun
    case nightly

    package static let current: TestLevel =
        ProcessInfo.processInfo.environment["NIGHTLY"] == nil ? .everyRun : .nightly

    package static func rounds(_ everyRun: Int, nightly: Int) -> Int {
        switch current {
        case .everyRun: everyRun
        case .nightly: nightly
        }
    }
}

/// Runs a random test once for each of several new seeds: `count` seeds nightly, and a fifth of `count` in other runs.
/// If `TAPLINE_SEED` is set, runs the test only with that seed. Prints the seed of each failure.
package func withSeeds(_ count: Int, _ name: String, _ body: (inout SplitMix64, UInt64) throws -> Void) rethrows {
    let first = UInt64.random(in: 0..<(1 << 32))
    let count = TestLevel.rounds((count + 4) / 5, nightly: count)
    let seeds = Seed.given.map { [$0] } ?? (0..<UInt64(count)).map { first + $0 }
    print("\(name): TAPLINE_SEED=\(seeds[0])" + (seeds.count > 1 ? " and the next \(seeds.count - 1)" : ""))
    for seed in seeds {
        var generator = SplitMix64(seed: seed)
        // `matching` sees each issue as it is recorded. It excuses none.
        try withKnownIssue(isIntermittent: true) {
            try body(&generator, seed)
        } matching: { _ in
            print("\(name): failed with TAPLINE_SEED=\(seed)")
            return false
        }
    }
}
