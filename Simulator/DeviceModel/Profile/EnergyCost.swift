import WatchLink

/// A quantity of electric charge, counted in whole picocoulombs: a microampere for a microsecond.
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

/// What the operations of a device take from its battery.
package struct EnergyCost: Sendable, Equatable {
    /// The battery's capacity in milliampere-hours.
    package var batteryMilliampereHours: Double
    /// The current of the whole device, in microamperes, that flows all the time: sleep with clocks and memory kept,
    /// the panel showing a still picture, the other chips in standby.
    package var sleepMicroamperes: Double
    /// The current, in microamperes, that the processor adds while it runs.
    package var processorMicroamperes: Double
    /// Microcoulombs of one line sent to the panel.
    package var panelLine: Double
    /// The current, in microamperes, that the flash chip adds while it programs.
    package var programMicroamperes: Double
    /// Microcoulombs of erasing one sector.
    package var sectorErase: Double
    /// Microcoulombs of one haptic pattern.
    package var hapticPattern: Double
    /// Microcoulombs of one connection event without payload.
    package var radioEvent: Double
    /// Microcoulombs of one byte in the air, either way, with what is around the payload of a packet.
    package var radioByte: Double

    /// The charge that `work` took within `length` of time, part by part.
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

    /// The days that a full battery lasts where every `length` takes `use`.
    package func batteryDays(_ use: EnergyUse, per length: Microseconds) -> Double {
        let perDay = use.total.milliampereHours * 86_400_000_000 / Double(length.count)
        return batteryMilliampereHours / perDay
    }
}

/// What was taken from the battery, part by part.
package struct EnergyUse: Sendable, Equatable {
    /// What flows all the time.
    package var sleep: Charge
    package var processor: Charge
    package var panel: Charge
    /// The flash chip's programs and erases.
    package var flash: Charge
    package var haptic: Charge
    /// Connection events, whatever is in them.
    package var radioEvents: Charge
    /// What is in them.
    package var radioPackets: Charge

    /// Connection events and the bytes in them.
    package var radio: Charge { radioEvents + radioPackets }

    package var total: Charge { sleep + processor + panel + flash + haptic + radio }
}
