import WatchLink

/// Random numbers from a seed: SplitMix64, the generator of Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators" (OOPSLA 2014). Good for identities that must not collide, no good for secrets.
struct Randomness: Sendable, BitwiseCopyable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A random number that is not 0.
    mutating func nextWord() -> UInt32 {
        while true {
            state = state &+ 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
            let word = (mixed ^ (mixed &>> 31)).lowWord
            if word != 0 { return word }
        }
    }
}
