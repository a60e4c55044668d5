import WatchLink

/// Electric charge in whole picocoulombs: microamperes times microseconds.
package struct Charge: Sendable, Equatable, Comparable {
    package var picocoulombs: UInt64
}

extension Charge {
    /// What a current of `microamperes` moves in `length`.
    package init(microamperes: Double, for length: Microseconds) {
        self.init(picocoulombs: UInt64(microamperes * Double(length.count)))
    }

    package init(microcoulombs: Double) {
        self.init(picocoulombs: UInt64(microcoulombs * 1_000_000))
    }

    package var microcoulombs: Double { Double(picocoulombs) / 1_000_000 }

    /// The charge in milliampere-hours, the unit of batteries: 3.6 coulombs.
    package var milliampereHours: Double { microcoulombs / 3_600_000 }

    package static func < (left: Charge, right: Charge) -> Bool { left.picocoulombs < right.picocoulombs }

    package static func + (left: Charge, right: Charge) -> Charge {
        Charge(picocoulombs: left.picocoulombs + right.picocoulombs)
    }
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

    package func charge(of work: BoardWork, in length: Microseconds) -> EnergyUse {
        EnergyUse(
            sleep: Charge(microamperes: sleepMicroamperes, for: length),
            processor: Charge(microamperes: processorMicroamperes, for: work.spent.processor),
            panel: Charge(microcoulombs: panelLine * Double(work.panelLines)),
            flash: Charge(microamperes: programMicroamperes, for: work.programming)
                + Charge(microcoulombs: sectorErase * Double(work.sectorErases)),
            haptic: Charge(microcoulombs: hapticPattern * Double(work.hapticPatterns)),
            radioEvents: Charge(microcoulombs: radioEvent * Double(work.radio.events)),
            radioPackets: Charge(
                microcoulombs: radioByte
                    * Double(work.radio.payloadOnAir + work.radio.packets * RadioCost.aroundPayload)))
    }

    /// The days that a full battery lasts if every `length` takes `use`.
    package func batteryDays(_ use: EnergyUse, per length: Microseconds) -> Double {
        let perDay = use.total.milliampereHours * 86_400_000_000 / Double(length.count)
        return batteryMilliampereHours / perDay
    }
}

package struct EnergyUse: Sendable, Equatable {
    /// The current that always flows.
    package var sleep: Charge
    package var processor: Charge
    package var panel: Charge
    /// Programs and erases.
    package var flash: Charge
    package var haptic: Charge
    /// Connection events without their payload.
    package var radioEvents: Charge
    /// The payload of connection events.
    package var radioPackets: Charge

    package var radio: Charge { radioEvents + radioPackets }

    package var total: Charge { sleep + processor + panel + flash + haptic + radio }
}
