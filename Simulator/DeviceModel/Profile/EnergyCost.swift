import WatchLink

/// The charge that each operation takes from the battery, in addition to the device's charge at rest.
package struct EnergyCost: Sendable, Equatable {
    /// The processor's additional current while it runs.
    package var processorMicroamperes: Double
    /// Microcoulombs for each line sent to the panel.
    package var panelLine: Double
    /// The flash chip's additional current while it programs.
    package var programMicroamperes: Double
    /// Microcoulombs for each erased sector.
    package var sectorErase: Double
    /// Microcoulombs for each haptic pattern.
    package var hapticPattern: Double
    /// Microcoulombs for each connection event without payload.
    package var radioEvent: Double
    /// Microcoulombs for each byte on air, including its share of the headers.
    package var radioByte: Double

    /// The charge of `work` in microcoulombs. Each part is rounded down to whole picocoulombs (microamperes times
    /// microseconds).
    package func charge(of work: BoardWork) -> Double {
        func current(_ microamperes: Double, for length: Microseconds) -> Double {
            (microamperes * Double(length.count)).rounded(.down)
        }
        func amount(_ microcoulombs: Double, times count: Int) -> Double {
            (microcoulombs * Double(count) * 1_000_000).rounded(.down)
        }
        let bytes = work.radio.payloadOnAir + work.radio.packets * RadioCost.aroundPayload
        let parts = [
            current(processorMicroamperes, for: work.spent.processor), amount(panelLine, times: work.panelLines),
            current(programMicroamperes, for: work.programming), amount(sectorErase, times: work.sectorErases),
            amount(hapticPattern, times: work.hapticPatterns), amount(radioEvent, times: work.radio.events),
            amount(radioByte, times: bytes),
        ]
        return parts.reduce(0, +) / 1_000_000
    }
}
