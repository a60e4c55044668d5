/// A generator whose numbers a seed replays: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
public struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    /// The sequence that belongs to `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// So many bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Whether something that happens once in `count` times happens now.
    public mutating func once(in count: Int) -> Bool {
        Int.random(in: 0..<count, using: &self) == 0
    }
}
