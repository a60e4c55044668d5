import WatchLink

/// What operations take from the battery, in addition to what the device takes at rest. Currents are in microamperes. The
/// charges of single operations are in microcoulombs.
package struct EnergyCost: Sendable, Equatable {
    package var processorMicroamperes: Double
    package var panelLine: Double
    package var programMicroamperes: Double
    package var sectorErase: Double
    package var hapticPattern: Double
    package var radioEvent: Double
    package var radioByte: Double

    /// The battery charge that `work` takes, in microcoulombs. The charge of each component, such as the radio, is rounded
    /// down to whole picocoulombs (microamperes times microseconds).
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
