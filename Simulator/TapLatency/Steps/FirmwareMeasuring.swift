import DeviceModel

/// Executes the shipping handler of the firmware image and counts instructions.
package protocol FirmwareMeasuring {
    /// The instructions of every stage by its name: the mean of `taps` taps on the list of `phone`.
    ///
    /// - Throws: whatever keeps the image from being run.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double]
}

extension FirmwareComparison {
    /// The processor's time of a handler's stages as the model charges them, beside what was counted on the image.
    init(
        _ report: TapReport, _ table: CountTable, counted: [String: Double], on processor: Processor
    ) {
        self.init(
            stages: report.stages.compactMap { stage in
                guard let count = counted[stage.name], let modelled = table.stages[stage.name] else { return nil }
                return FirmwareStage(
                    name: stage.name, modelled: processor.microseconds(instructions: Double(modelled.instructions)),
                    measured: processor.microseconds(instructions: count))
            })
    }
}
