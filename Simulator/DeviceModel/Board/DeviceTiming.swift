import WatchLink

/// What the device takes for the operations that a runtime waits for. A virtual clock is charged with it; on the real clock
/// the machine's own times count.
public struct DeviceTiming: Sendable, Equatable {
    /// Sending one line to the panel: 144 bits with address and trailer at 2 MHz SPI take 80 us.
    public var panelLine: Microseconds
    /// Programming one page of the flash chip: 0.7 ms, the typical figure for a 256-byte page of a W25Q-class chip.
    public var pageProgram: Microseconds
    /// Erasing one sector of the flash chip: 45 ms, the typical figure for a 4 KB sector of a W25Q-class chip.
    public var sectorErase: Microseconds

    /// Timing of these lengths.
    public init(panelLine: Microseconds, pageProgram: Microseconds, sectorErase: Microseconds) {
        self.panelLine = panelLine
        self.pageProgram = pageProgram
        self.sectorErase = sectorErase
    }

    /// The device's own timing.
    public static let device = DeviceTiming(
        panelLine: Microseconds(80), pageProgram: Microseconds(700), sectorErase: .milliseconds(45))

    /// Everything takes no time, for tests in which time is not the subject.
    public static let instant = DeviceTiming(panelLine: .zero, pageProgram: .zero, sectorErase: .zero)
}
