import WatchLink

/// A quantity of electric charge, counted in whole picocoulombs: a microampere for a microsecond.
public struct Charge: Sendable, Equatable, Comparable {
    /// The count of picocoulombs.
    public var picocoulombs: UInt64

    /// A charge of `picocoulombs`.
    public init(picocoulombs: UInt64) {
        self.picocoulombs = picocoulombs
    }

    /// What a current of `microamperes` moves in `length`.
    public init(microamperes: Double, for length: Microseconds) {
        self.init(picocoulombs: UInt64(microamperes * Double(length.count)))
    }

    /// A charge of `microcoulombs`.
    public init(microcoulombs: Double) {
        self.init(picocoulombs: UInt64(microcoulombs * 1_000_000))
    }

    /// The charge in microcoulombs.
    public var microcoulombs: Double { Double(picocoulombs) / 1_000_000 }

    /// The charge in milliampere-hours, the unit of batteries: 3.6 coulombs.
    public var milliampereHours: Double { microcoulombs / 3_600_000 }

    /// The smaller charge comes first.
    public static func < (left: Charge, right: Charge) -> Bool { left.picocoulombs < right.picocoulombs }

    /// The sum.
    public static func + (left: Charge, right: Charge) -> Charge {
        Charge(picocoulombs: left.picocoulombs + right.picocoulombs)
    }
}

/// What the operations of a device take from its battery.
public struct EnergyCost: Sendable, Equatable {
    /// The battery's capacity in milliampere-hours.
    public var batteryMilliampereHours: Double
    /// The current of the whole device, in microamperes, that flows all the time: sleep with clocks and memory kept,
    /// the panel showing a still picture, the other chips in standby.
    public var sleepMicroamperes: Double
    /// The current, in microamperes, that the processor adds while it runs.
    public var processorMicroamperes: Double
    /// Microcoulombs of one line sent to the panel.
    public var panelLine: Double
    /// Microcoulombs of programming within one page.
    public var pageProgram: Double
    /// Microcoulombs of erasing one sector.
    public var sectorErase: Double
    /// Microcoulombs of one haptic pattern.
    public var hapticPattern: Double
    /// Microcoulombs of one connection event without payload.
    public var radioEvent: Double
    /// Microcoulombs of one byte on the radio link, either way.
    public var radioByte: Double

    /// A device of these currents and charges.
    public init(
        batteryMilliampereHours: Double, sleepMicroamperes: Double, processorMicroamperes: Double, panelLine: Double,
        pageProgram: Double, sectorErase: Double, hapticPattern: Double, radioEvent: Double, radioByte: Double
    ) {
        self.batteryMilliampereHours = batteryMilliampereHours
        self.sleepMicroamperes = sleepMicroamperes
        self.processorMicroamperes = processorMicroamperes
        self.panelLine = panelLine
        self.pageProgram = pageProgram
        self.sectorErase = sectorErase
        self.hapticPattern = hapticPattern
        self.radioEvent = radioEvent
        self.radioByte = radioByte
    }

    /// The charge that `work` took within `length` of time, part by part.
    public func charge(of work: BoardWork, in length: Microseconds) -> EnergyUse {
        EnergyUse(
            sleep: Charge(microamperes: sleepMicroamperes, for: length),
            processor: Charge(microamperes: processorMicroamperes, for: work.spent.processor),
            panel: Charge(microcoulombs: panelLine * Double(work.panelLines)),
            flash: Charge(
                microcoulombs: pageProgram * Double(work.pagePrograms) + sectorErase * Double(work.sectorErases)),
            haptic: Charge(microcoulombs: hapticPattern * Double(work.hapticPatterns)),
            radio: Charge(
                microcoulombs: radioEvent * Double(work.radio.events) + radioByte * Double(work.radio.bytes)))
    }

    /// The days that a full battery lasts where every `length` takes `use`.
    public func batteryDays(_ use: EnergyUse, per length: Microseconds) -> Double {
        let perDay = use.total.milliampereHours * 86_400_000_000 / Double(length.count)
        return batteryMilliampereHours / perDay
    }
}

/// What was taken from the battery, part by part.
public struct EnergyUse: Sendable, Equatable {
    /// What flows all the time.
    public var sleep: Charge
    /// The processor while it ran.
    public var processor: Charge
    /// Lines sent to the panel.
    public var panel: Charge
    /// The flash chip's programs and erases.
    public var flash: Charge
    /// Haptic patterns.
    public var haptic: Charge
    /// Connection events and the bytes in them.
    public var radio: Charge

    /// All of it.
    public var total: Charge { sleep + processor + panel + flash + haptic + radio }
}
