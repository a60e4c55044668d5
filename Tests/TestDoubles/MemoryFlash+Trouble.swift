import DeviceModel
import Watch

extension MemoryFlash {
    package mutating func resetCounts() {
        counts = MemoryFlash(flashGeometry).counts
    }

    /// Lets this many program and erase operations complete, and cuts the power in the middle of the next operation.
    /// The seed decides what that operation leaves in flash. That operation and all later calls throw `.notResponding`,
    /// until `restorePower` is called.
    package mutating func failPower(afterOperations operations: Int, seed: UInt64) {
        power = .failing(operations: operations, noise: FlashNoise(seed: seed))
    }

    /// Returns the chip as it would be if the power failed now. If an erase is running, `seed` decides the contents of
    /// its sector.
    package func cutDuringErase(seed: UInt64) -> MemoryFlash {
        var left = self
        var noise = FlashNoise(seed: seed)
        left.tearErase(&noise)
        return left
    }

    package mutating func restorePower() {
        power = .on
    }

    /// Lets this many program and erase operations succeed, and makes the next operation fail with `error`. The seed
    /// decides what the failed operation leaves in flash.
    package mutating func failOnce(with error: FlashError, afterOperations operations: Int, seed: UInt64) {
        fault = .pending(error, operations: operations, noise: FlashNoise(seed: seed))
    }

    package mutating func wearOut(sector: Int) {
        wornSectors.insert(sector)
    }

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
