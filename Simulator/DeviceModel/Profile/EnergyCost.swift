import WatchLink

/// A consumer of charge.
package enum ChargedPart: String, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// What flows all the time: the processor asleep, the panel with a still picture, the other chips in standby.
    case sleep
    case processor, panel
    /// Programs and erases.
    case flash
    case haptic
    /// Connection events without their payload, and the bytes of the payload.
    case radioEvents, radioPackets
}

package struct EnergyCost: Sendable, Equatable {
    /// The battery's capacity in milliampere-hours.
    package var batteryMilliampereHours: Double
    /// The whole device at sleep: clocks and memory kept, a still picture, other chips in standby.
    package var sleepMicroamperes: Double
    /// What the processor adds while it runs.
    package var processorMicroamperes: Double
    /// Microcoulombs of one line.
    package var panelLine: Double
    /// What the flash chip adds while it programs.
    package var programMicroamperes: Double
    /// Microcoulombs of one sector.
    package var sectorErase: Double
    /// Microcoulombs of one pattern.
    package var hapticPattern: Double
    /// Microcoulombs of one event without payload.
    package var radioEvent: Double
    /// Microcoulombs of one byte in the air, with what frames it.
    package var radioByte: Double

    /// What work takes in a time, in whole picocoulombs: microamperes times microseconds.
    package func charges(of work: BoardWork, in length: Microseconds) -> [ChargedPart: Double] {
        func current(_ microamperes: Double, for length: Microseconds) -> Double {
            (microamperes * Double(length.count)).rounded(.down)
        }
        func amount(_ microcoulombs: Double, times count: Int) -> Double {
            (microcoulombs * Double(count) * 1_000_000).rounded(.down)
        }
        return [
            .sleep: current(sleepMicroamperes, for: length),
            .processor: current(processorMicroamperes, for: work.spent.processor),
            .panel: amount(panelLine, times: work.panelLines),
            .flash: current(programMicroamperes, for: work.programming) + amount(sectorErase, times: work.sectorErases),
            .haptic: amount(hapticPattern, times: work.hapticPatterns),
            .radioEvents: amount(radioEvent, times: work.radio.events),
            .radioPackets: amount(
                radioByte, times: work.radio.payloadOnAir + work.radio.packets * RadioCost.aroundPayload),
        ]
    }
}
