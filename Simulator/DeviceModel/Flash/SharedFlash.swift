import Synchronization
import Watch

/// A flash chip in memory that outlives the board it is on: a test takes it off one board and puts it on the next, as a
/// power cut does.
public final class SharedFlash: NORFlash, Sendable {
    private let chip: Mutex<MemoryFlash>
    /// The chip's layout.
    public let flashGeometry: FlashGeometry

    /// A board's hold on `chip`.
    package init(_ chip: MemoryFlash) {
        flashGeometry = chip.flashGeometry
        self.chip = Mutex(chip)
    }

    /// The chip, to look at its contents and counts.
    package var contents: MemoryFlash { chip.withLock { $0 } }

    /// Changes the chip, such as when its power is to fail.
    package func change(_ change: (inout sending MemoryFlash) -> Void) {
        chip.withLock { change(&$0) }
    }

    /// What the chip is doing.
    public var flashActivity: FlashActivity { chip.withLock { $0.flashActivity } }

    /// Fills `destination` with the bytes from `address` on.
    public func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        var bytes = [UInt8](repeating: 0, count: destination.count)
        try chip.withLock { chip throws(FlashError) in
            var span = bytes.mutableSpan
            try chip.readFlash(at: address, into: &span)
        }
        for index in bytes.indices { destination[index] = bytes[index] }
    }

    /// Clears bits within a page.
    public func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let copy = bytes.indices.map { bytes[$0] }
        try chip.withLock { chip throws(FlashError) in try chip.programFlash(at: address, copy.span) }
    }

    /// Starts to erase a sector.
    public func beginErase(sector: Int) throws(FlashError) {
        try chip.withLock { chip throws(FlashError) in try chip.beginErase(sector: sector) }
    }

    /// Waits for the end of an erase.
    public func finishErase() {
        chip.withLock { $0.finishErase() }
    }
}
