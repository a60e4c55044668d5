import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The chip's layout.
    public var flashGeometry: FlashGeometry { flash.flashGeometry }

    /// `.erasing` while the chip says so, and until the time of an erase has passed.
    public var flashActivity: FlashActivity {
        switch eraseProgress {
        case .erasing(let end) where clock.now < end: .erasing
        case .none, .erasing: flash.flashActivity
        }
    }

    /// Reads all of `destination` from `address` on; waits for an erase first.
    public func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        waitForErase()
        try flash.readFlash(at: address, into: &destination)
    }

    /// Programs `bytes` within one page; waits for an erase first.
    public func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        waitForErase()
        try flash.programFlash(at: address, bytes)
        output.work.pagePrograms += 1
        charge(profile.flash.pageProgram.at(switches.faults.flashPace), to: \.flash)
    }

    /// Starts to erase a sector; waits for an erase that is under way.
    public func beginErase(sector: Int) throws(FlashError) {
        waitForErase()
        try flash.beginErase(sector: sector)
        output.work.sectorErases += 1
        let length = profile.flash.sectorErase.at(switches.faults.flashPace)
        if length > .zero { eraseProgress = .erasing(until: clock.now + length) }
    }

    /// When an erase that is under way ends, or nil.
    var eraseEnd: Instant? {
        switch eraseProgress {
        case .erasing(let end) where clock.now < end: end
        case .none, .erasing: nil
        }
    }

    private func waitForErase() {
        guard let eraseEnd else { return }
        charge(eraseEnd - clock.now, to: \.flash)
    }
}
