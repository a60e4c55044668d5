import Foundation
import Testing

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something that happens once in `count` times happens now.
    mutating func once(in count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }
}

/// Runs a random test on several seeds: that of `TAPLINE_SEED` alone where it is set, otherwise `count` new ones. The seed of
/// a run is part of every failure in it.
func withSeeds(_ count: Int, _ name: String, _ body: (inout SeededGenerator, UInt64) throws -> Void) rethrows {
    let given = ProcessInfo.processInfo.environment["TAPLINE_SEED"].flatMap { UInt64($0) }
    let first = UInt64.random(in: 0..<(1 << 32))
    let seeds = given.map { [$0] } ?? (0..<UInt64(count)).map { first + $0 }
    print("\(name): TAPLINE_SEED=\(seeds[0])" + (seeds.count > 1 ? " and the next \(seeds.count - 1)" : ""))
    for seed in seeds {
        var generator = SeededGenerator(seed: seed)
        try body(&generator, seed)
    }
}
