/// What the firmware image takes, beside what the model says.
package struct FirmwareComparison: Sendable, Codable, Equatable {
    /// The processor's time of every stage, in the handler's order.
    package var stages: [FirmwareStage]

    /// How far the stage that differs most is from the model, as a share of the model's: 0.05 for 5 %.
    package var largestDifference: Double {
        stages.map { abs($0.difference) }.max() ?? 0
    }
}

/// The processor's time of one stage, in microseconds.
package struct FirmwareStage: Sendable, Codable, Equatable {
    /// The stage's name.
    package var name: String
    /// What the model says.
    package var modelled: Double
    /// What the image took in the emulator.
    package var measured: Double

    /// By how much the measured time is above the modelled one, as a share of it; 0 where both are 0.
    package var difference: Double {
        if modelled == 0 { return measured == 0 ? 0 : .infinity }
        return (measured - modelled) / modelled
    }
}
