import DeviceModel
import Watch
import WatchLink

/// The flash chip of a watch. Its contents survive a loss of power, and a plan can make it fail.
final class WearerFlash: NORFlash {
    /// The behaviour of the chip that a test can replace by faulty behaviour.
    struct Wiring {
        var program: (inout MemoryFlash, Int, [UInt8]) throws(FlashError) -> Void
        /// Called after the power has failed during an operation at this address.
        var torn: (inout MemoryFlash, Int) -> Void

        static var right: Wiring {
            Wiring(
                program: { (chip, address, bytes) throws(FlashError) in
                    try chip.programFlash(at: address, bytes.span)
                }, torn: { _, _ in })
        }
    }

    private(set) var chip: MemoryFlash
    private let wiring: Wiring
    let flashGeometry: FlashGeometry
    /// The number of program and erase operations in the journal's sectors.
    private(set) var operations = 0
    private(set) var erases = 0
    private(set) var failures = 0
    var lostPower: () -> Void = {}

    init(_ geometry: FlashGeometry, wiring: Wiring) {
        chip = MemoryFlash(geometry)
        flashGeometry = geometry
        self.wiring = wiring
    }

    var image: [UInt8] {
        get { chip.contents }
        set { chip.contents = newValue }
    }

    var hasPower: Bool {
        switch chip.power {
        case .on, .failing: true
        case .off: false
        }
    }

    func restorePower() { chip.power = .on }

    func cutPower() { chip.power = .off }

    func failPower(after operations: Int, seed: UInt64) {
        chip.power = .failing(operations: operations, noise: FlashNoise(seed: seed))
    }

    func failOnce(_ error: FlashError, after operations: Int, seed: UInt64) {
        chip.fault = .pending(error, operations: operations, noise: FlashNoise(seed: seed))
    }

    func wearOut() { chip.wornSectors = Set(0..<flashGeometry.sectorCount) }

    var isWorn: Bool { !chip.wornSectors.isEmpty }

    func heal() {
        chip.fault = .none
        chip.wornSectors = []
    }

    private var journalEnd: Int {
        (flashGeometry.sectorCount - flashGeometry.fileSectorCount) * flashGeometry.sectorSize
    }

    private var isFailurePending: Bool {
        switch chip.fault {
        case .none: false
        case .pending: true
        }
    }

    /// Flips one bit of a random byte that is in use. Returns false if the chip is blank.
    func decay(_ random: inout SplitMix64) -> Bool {
        let used = chip.contents.indices.filter { chip.contents[$0] != 0xFF }
        guard !used.isEmpty else { return false }
        let address = used[Int(random.next() % UInt64(used.count))]
        chip.contents[address] ^= 1 << UInt8(random.next() % 8)
        return true
    }

    var flashActivity: FlashActivity { chip.flashActivity }

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try chip.readFlash(at: address, into: &destination)
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let (isOn, isDoomed) = (hasPower, isFailurePending)
        defer { note(isOn, isDoomed, at: address) }
        if address < journalEnd { operations += 1 }
        try wiring.program(&chip, address, bytes.indices.map { bytes[$0] })
    }

    func beginErase(sector: Int) throws(FlashError) {
        let (isOn, isDoomed) = (hasPower, isFailurePending)
        defer { note(isOn, isDoomed, at: sector * flashGeometry.sectorSize) }
        if sector * flashGeometry.sectorSize < journalEnd {
            operations += 1
            erases += 1
        }
        try chip.beginErase(sector: sector)
    }

    func finishErase() {
        let isOn = hasPower
        chip.finishErase()
        note(isOn, false, at: 0)
    }

    private func note(_ wasOn: Bool, _ wasDoomed: Bool, at address: Int) {
        if wasDoomed, !isFailurePending { failures += 1 }
        guard wasOn, !hasPower else { return }
        wiring.torn(&chip, address)
        lostPower()
    }
}
