import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// The chip's layout.
    public var flashGeometry: FlashGeometry { flash.flashGeometry }

    /// `.erasing` if an erase has not yet taken the time that the profile gives, or if the chip itself reports an erase.
    public var flashActivity: FlashActivity { runningErase == nil ? flash.flashActivity : .erasing }

    /// Fills `destination` with the bytes from `address` on. If the chip is erasing the sector of `address`, first waits for
    /// the end of the erase. If the chip is erasing a different sector, suspends the erase.
    public func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let suspended = suspendErase(at: address)
        defer { resume(suspended) }
        transfer(bytes: destination.count)
        try flash.readFlash(at: address, into: &destination)
    }

    /// Programs `bytes` within one page. If the chip is erasing the sector of `address`, first waits for the end of the
    /// erase. If the chip is erasing a different sector, suspends the erase.
    public func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        let suspended = suspendErase(at: address)
        defer { resume(suspended) }
        try flash.programFlash(at: address, bytes)
        transfer(bytes: bytes.count)
        let programming = profile.flash.program.time(bytes: bytes.count, at: switches.faults.flashPace)
        output.work.pagePrograms += 1
        output.work.programming = output.work.programming + programming
        charge(programming, to: \.flash)
    }

    /// Charges the time to send this number of bytes over the flash chip's bus. If the panel shares the bus, first waits for
    /// the end of the panel's transfers.
    private func transfer(bytes: Int) {
        if profile.panel.bus == .sharedWithFlash { awaitPanel(until: panelBus.idle) }
        charge(profile.flash.transfer(bytes: bytes), to: \.flash)
    }

    /// Starts to erase a sector. Waits for a running erase first.
    public func beginErase(sector: Int) throws(FlashError) {
        waitForErase()
        try flash.beginErase(sector: sector)
        output.work.sectorErases += 1
        let length = profile.flash.sectorErase.at(switches.faults.flashPace)
        guard length > .zero else { return }
        erase = SectorErase(sector: sector, until: clock.now + length, resumed: clock.now)
    }

    /// Waits until a running erase has ended.
    public func finishErase() {
        waitForErase()
        flash.finishErase()
    }

    package var eraseEnd: Instant? { runningErase?.until }

    private var runningErase: SectorErase? { erase.flatMap { clock.now < $0.until ? $0 : nil } }

    private typealias Suspension = (erase: SectorErase, at: Instant)

    /// Suspends a running erase. If the erase began or was resumed less than the chip's minimum time ago, first waits for the
    /// rest of that time. If the chip is erasing the sector of `address`, waits for the end of the erase instead. Returns nil
    /// if no erase is left to resume.
    private func suspendErase(at address: Int) -> Suspension? {
        guard let erase = runningErase else { return nil }
        guard address / flashGeometry.sectorSize != erase.sector else {
            waitForErase()
            return nil
        }
        let earliest = erase.resumed + profile.flash.eraseSuspend.betweenSuspends
        if clock.now < earliest { charge(earliest - clock.now, to: \.flash) }
        guard clock.now < erase.until else { return nil }
        let suspended = clock.now
        charge(profile.flash.eraseSuspend.latency, to: \.flash)
        return (erase, suspended)
    }

    /// Resumes the erase, which ends later by the length of the suspension.
    private func resume(_ suspension: Suspension?) {
        guard let suspension else { return }
        var erase = suspension.erase
        erase.resumed = clock.now
        erase.until = erase.until + (clock.now - suspension.at)
        self.erase = erase
    }

    private func waitForErase() {
        guard let eraseEnd else { return }
        charge(eraseEnd - clock.now, to: \.flash)
    }
}
