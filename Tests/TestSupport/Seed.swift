import Foundation
import WatchLink

/// The seeds of random tests. `TAPLINE_SEED` in the environment repeats a run.
package enum Seed {
    /// That of the environment, or a new one.
    package static func chosen() -> UInt64 {
        given ?? UInt64.random(in: 0 ... .max)
    }

    /// That of the environment, or a new one, printed so that a failure can be repeated.
    package static func printed(for test: String) -> UInt64 {
        let seed = chosen()
        print("\(test): TAPLINE_SEED=\(seed)")
        return seed
    }

    /// That of the environment, if there is one.
    package static var given: UInt64? {
        ProcessInfo.processInfo.environment["TAPLINE_SEED"].flatMap { UInt64($0) }
    }
}

/// How long random tests run: `Tests/run nightly` sets NIGHTLY.
package enum TestLevel {
    case everyRun
    case nightly

    package static let current: TestLevel =
        ProcessInfo.processInfo.environment["NIGHTLY"] == nil ? .everyRun : .nightly

    /// The number that each level has: of rounds, of cases, or of steps between two of them.
    package static func rounds(_ everyRun: Int, nightly: Int) -> Int {
        switch current {
        case .everyRun: everyRun
        case .nightly: nightly
        }
    }
}

/// Runs a random test on several seeds: that of `TAPLINE_SEED` alone if it is set, otherwise new ones, `count` of them nightly and a
/// fifth of that in every run. The seed of a run is part of every failure in it.
package func withSeeds(_ count: Int, _ name: String, _ body: (inout SplitMix64, UInt64) throws -> Void) rethrows {
    let first = UInt64.random(in: 0..<(1 << 32))
    let count = TestLevel.rounds((count + 4) / 5, nightly: count)
    let seeds = Seed.given.map { [$0] } ?? (0..<UInt64(count)).map { first + $0 }
    print("\(name): TAPLINE_SEED=\(seeds[0])" + (seeds.count > 1 ? " and the next \(seeds.count - 1)" : ""))
    for seed in seeds {
        var generator = SplitMix64(seed: seed)
        try body(&generator, seed)
    }
}
