import BoardSupport
import MPS2Memory
import Watch
import WatchLink

/// A NOR flash chip that is simulated in memory: see `FlashChip`.
///
/// As on a chip, programming only clears bits, and an erase sets a whole sector. An erase takes 45 ms, which is typical for 4
/// KB of a W25Q-class chip. Reading or programming another sector suspends it, after which it takes 20 us longer.
struct FlashMemory {
    private enum Progress {
        case ready
        case erasing(sector: Int, until: Instant)
    }

    private var progress = Progress.ready
    private static var base: UInt { UInt(FlashChip.address) }
    private static var eraseTime: Microseconds { .milliseconds(45) }
    /// The time that a suspended erase loses: tSUS in the data sheet of the W25Q32FV.
    private static var suspendTime: Microseconds { Microseconds(20) }

    static var geometry: FlashGeometry { FlashChip.geometry }

    /// When the running erase ends; nil if there is none.
    var readyAt: Instant? {
        switch progress {
        case .ready: nil
        case .erasing(_, let until): until
        }
    }

    /// Ends an erase whose time is over.
    mutating func pass(_ now: Instant) {
        guard case .erasing(let sector, let until) = progress, until <= now else { return }
        let start = FlashMemory.base + UInt(sector * FlashMemory.geometry.sectorSize)
        for offset in stride(from: 0, to: UInt(FlashMemory.geometry.sectorSize), by: 4) {
            Register(start + offset).value = .max
        }
        progress = .ready
    }

    mutating func beginErase(_ sector: Int, at now: Instant) throws(FlashError) {
        guard (0..<FlashMemory.geometry.sectorCount).contains(sector), readyAt == nil else { throw .outOfRange }
        progress = .erasing(sector: sector, until: now + FlashMemory.eraseTime)
    }

    /// Suspends a running erase for another operation. It continues at once, because reading and programming memory take no
    /// time.
    mutating func suspend(at address: Int) -> EraseSuspension {
        guard case .erasing(let sector, let until) = progress else { return .suspended }
        guard address / FlashMemory.geometry.sectorSize != sector else { return .sameSector }
        progress = .erasing(sector: sector, until: until + FlashMemory.suspendTime)
        return .suspended
    }

    func read(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let start = try place(of: address, count: destination.count)
        for index in destination.indices { destination[index] = SharedByte(start + UInt(index)).value }
    }

    /// Clears the bits that are clear in `bytes`, within one page.
    func program(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let start = try place(of: address, count: bytes.count)
        let page = FlashMemory.geometry.pageSize
        guard address % page + bytes.count <= page else { throw .outOfRange }
        for index in bytes.indices {
            let cell = SharedByte(start + UInt(index))
            cell.value &= bytes[index]
            guard cell.value == bytes[index] else { throw .verifyFailed }
        }
    }

    private func place(of address: Int, count: Int) throws(FlashError) -> UInt {
        guard address >= 0, count >= 0, address <= FlashMemory.geometry.capacity - count else { throw .outOfRange }
        return FlashMemory.base + UInt(address)
    }
}

enum EraseSuspension {
    /// The erase was suspended, or there was none.
    case suspended
    /// The erase is of the same sector, so the operation must wait for it.
    case sameSector
}
