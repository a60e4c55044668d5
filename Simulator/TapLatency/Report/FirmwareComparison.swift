/// What the firmware image takes, beside what the model says.
public struct FirmwareComparison: Sendable, Codable, Equatable {
    /// The processor's time of every stage, in the handler's order.
    public var stages: [FirmwareStage]

    /// A comparison of these stages.
    public init(stages: [FirmwareStage]) {
        self.stages = stages
    }

    /// How far the stage that differs most is from the model, as a share of the model's: 0.05 for 5 %.
    public var largestDifference: Double {
        stages.map { abs($0.difference) }.max() ?? 0
    }
}

/// The processor's time of one stage, in microseconds.
public struct FirmwareStage: Sendable, Codable, Equatable {
    /// The stage's name.
    public var name: String
    /// What the model says.
    public var modelled: Double
    /// What the image took in the emulator.
    public var measured: Double

    /// A stage of these times.
    public init(name: String, modelled: Double, measured: Double) {
        self.name = name
        self.modelled = modelled
        self.measured = measured
    }

    /// By how much the measured time is above the modelled one, as a share of it; 0 where both are 0.
    public var difference: Double {
        if modelled == 0 { return measured == 0 ? 0 : .infinity }
        return (measured - modelled) / modelled
    }
}
