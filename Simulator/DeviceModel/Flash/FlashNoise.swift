import WatchLink

/// What an operation leaves behind that did not end as it should, drawn from a seed.
package struct FlashNoise: Sendable {
    private var random: SplitMix64

    /// The noise that `seed` draws.
    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Turns the bytes of a program into those of one that was cut short: nothing, everything, a beginning, or any of the bits.
    mutating func tearProgram(_ bytes: inout [UInt8]) {
        switch random.next() % 5 {
        case 0:
            for index in bytes.indices { bytes[index] = 0xFF }
        case 1:
            break
        case 2, 3:
            guard !bytes.isEmpty else { return }
            let cut = Int(random.next() % UInt64(bytes.count))
            bytes[cut] |= UInt8(truncatingIfNeeded: random.next())
            for index in bytes.indices where index > cut { bytes[index] = 0xFF }
        default:
            for index in bytes.indices { bytes[index] |= UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    /// Leaves a sector as an erase that was cut short does: untouched, erased, with any of its bits set, or anything at all.
    mutating func tearErase(_ contents: inout [UInt8], _ sector: Range<Int>) {
        switch random.next() % 4 {
        case 0:
            break
        case 1:
            for address in sector { contents[address] = 0xFF }
        case 2:
            for address in sector { contents[address] |= UInt8(truncatingIfNeeded: random.next()) }
        default:
            for address in sector { contents[address] = UInt8(truncatingIfNeeded: random.next()) }
        }
    }
}
