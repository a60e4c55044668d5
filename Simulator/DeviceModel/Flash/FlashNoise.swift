/// What an operation leaves behind that did not end as it should, drawn from a seed. The generator is SplitMix64
/// (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct FlashNoise: Sendable, RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Turns the bytes of a program into those of one that was cut short: nothing, everything, a beginning, or any of the bits.
    mutating func tearProgram(_ bytes: inout [UInt8]) {
        switch next() % 5 {
        case 0:
            for index in bytes.indices { bytes[index] = 0xFF }
        case 1:
            break
        case 2, 3:
            guard !bytes.isEmpty else { return }
            let cut = Int(next() % UInt64(bytes.count))
            bytes[cut] |= UInt8(truncatingIfNeeded: next())
            for index in bytes.indices where index > cut { bytes[index] = 0xFF }
        default:
            for index in bytes.indices { bytes[index] |= UInt8(truncatingIfNeeded: next()) }
        }
    }

    /// Leaves a sector as an erase that was cut short does: untouched, erased, with any of its bits set, or anything at all.
    mutating func tearErase(_ contents: inout [UInt8], _ sector: Range<Int>) {
        switch next() % 4 {
        case 0:
            break
        case 1:
            for address in sector { contents[address] = 0xFF }
        case 2:
            for address in sector { contents[address] |= UInt8(truncatingIfNeeded: next()) }
        default:
            for address in sector { contents[address] = UInt8(truncatingIfNeeded: next()) }
        }
    }
}
