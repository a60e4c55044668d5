import DeviceModel
import Watch

extension MemoryFlash {
    /// Sets the counts to zero, except the wear.
    package mutating func resetCounts() {
        counts = MemoryFlash(flashGeometry).counts
    }

    /// Makes the power fail in the middle of the program or erase after `operations` more. That one is done by half, as
    /// `seed` decides; it and everything after it answers `.notResponding` until `restorePower`.
    package mutating func failPower(afterOperations operations: Int, seed: UInt64) {
        power = .failing(operations: operations, noise: FlashNoise(seed: seed))
    }

    /// What is left of the chip where the power fails now: the sector of an erase in progress is as `seed` decides.
    package func cutDuringErase(seed: UInt64) -> MemoryFlash {
        var left = self
        var noise = FlashNoise(seed: seed)
        left.tearErase(&noise)
        return left
    }

    /// Switches the chip on again, with what the failure left.
    package mutating func restorePower() {
        power = .on
    }

    /// Makes the program or erase after `operations` more fail with `error`, done by half as `seed` decides.
    package mutating func failOnce(with error: FlashError, afterOperations operations: Int, seed: UInt64) {
        fault = .pending(error, operations: operations, noise: FlashNoise(seed: seed))
    }

    /// Makes a sector one that keeps nothing any more: programs change nothing in it and report `.verifyFailed`.
    package mutating func wearOut(sector: Int) {
        wornSectors.insert(sector)
    }

    /// Flips bits of the byte at `address`: those that `mask` sets.
    package mutating func decay(at address: Int, mask: UInt8) {
        contents[address] ^= mask
    }
}

extension SharedFlash {
    package var isPowered: Bool {
        switch contents.power {
        case .on, .failing: true
        case .off: false
        }
    }
}
