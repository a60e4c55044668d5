import DeviceModel
import DeviceModelTesting

@testable import Watch

/// A chip that keeps, for every program and erase, what it would hold had the power failed in the middle of it.
struct PowerCutRecorder: NORFlash, Sendable {
    /// What was being done when the power failed.
    enum Doing: Equatable, Sendable {
        /// The record after this number of others was being appended.
        case appending(after: Int)
        /// This number of records had been appended, and nothing was waiting.
        case maintaining(Int)
    }

    /// What a failure of the power leaves.
    struct Cut: Sendable {
        var flash: MemoryFlash
        var doing: Doing
        var operation: Int
        var seed: UInt64
    }

    var chip: MemoryFlash
    var doing = Doing.maintaining(0)
    private(set) var cuts: [Cut] = []
    private let seeds: [UInt64]

    /// Around `chip`, with one cut for each of `seeds` at every operation.
    init(_ chip: MemoryFlash, seeds: [UInt64]) {
        self.chip = chip
        self.seeds = seeds
    }

    var flashGeometry: FlashGeometry { chip.flashGeometry }
    var flashActivity: FlashActivity { mutating get { chip.flashActivity } }

    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try chip.readFlash(at: address, into: &destination)
    }

    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        for seed in seeds {
            var torn = beforeCut(seed)
            try? torn.programFlash(at: address, bytes)
            record(torn, seed)
        }
        try chip.programFlash(at: address, bytes)
    }

    mutating func beginErase(sector: Int) throws(FlashError) {
        for seed in seeds {
            var torn = beforeCut(seed)
            try? torn.beginErase(sector: sector)
            record(torn, seed)
        }
        try chip.beginErase(sector: sector)
        // The power also fails between two operations, while the sector is being erased.
        for seed in seeds { record(chip.cutDuringErase(seed: seed), seed) }
    }

    mutating func finishErase() {
        chip.finishErase()
    }

    private func beforeCut(_ seed: UInt64) -> MemoryFlash {
        var torn = chip
        torn.failPower(afterOperations: 0, seed: seed &+ UInt64(chip.counts.operations) &* 7_919)
        return torn
    }

    private mutating func record(_ torn: MemoryFlash, _ seed: UInt64) {
        var flash = torn
        flash.restorePower()
        cuts.append(Cut(flash: flash, doing: doing, operation: chip.counts.operations, seed: seed))
    }
}
