import DeviceModel
import HostSystem
import MachineWatch
import Watch
import WatchLink

/// Runs the nineteen steps on one device, and reports what it finds.
package struct Lab: Sendable {
    package let conditions: Conditions
    /// The longest that the wearer may wait.
    let budget: Budget
    /// The steps that are taken: 1 to 19.
    let steps: ClosedRange<Int>

    /// How far a run is.
    package struct Progress: Sendable, Equatable {
        /// Measurements that are done.
        package var done: Int
        /// Measurements in all.
        package var all: Int
        /// What is measured next.
        package var next: String
    }

    /// - Throws: what is wrong with the arguments.
    package init(
        _ conditions: Conditions = Conditions(), budget: Budget = .tapToUpdate, steps: ClosedRange<Int> = 1...19
    ) throws(TapLatencyError) {
        self.conditions = conditions
        self.budget = budget
        self.steps = steps
        try conditions.check()
        guard steps.lowerBound >= 1, steps.upperBound <= 19 else {
            throw .steps("\(steps.lowerBound)-\(steps.upperBound)")
        }
    }

    /// The steps that a text means, such as "1-19" or "8".
    ///
    /// - Throws: `.steps` if it means none.
    package static func steps(in text: String) throws(TapLatencyError) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil,
            first >= 1, last <= 19, first <= last
        else { throw .steps(text) }
        return first...last
    }

    /// Taps on the firmware image: a count varies by what the board's timer rounds, so that few are enough.
    package var firmwareTaps: Int { min(conditions.taps, 20) }

    /// Takes the steps, and measures legacy, shipping and the curve.
    ///
    /// - Parameters:
    ///   - firmware: instructions of shipping's stages as they were counted on the firmware image, by their names; nil
    ///     if it was not run.
    ///   - progress: called before each measurement.
    /// - Throws: which stage of an image that is executed does not come to its end.
    package func run(
        firmware: [String: Double]? = nil, progress: @escaping (Progress) -> Void = { _ in }
    ) throws(TapLatencyError) -> LabReport {
        var run = LabRun(self, firmware, progress: progress)
        return try run.report()
    }

    /// Measures one of the two handlers alone.
    package func measure(_ handler: OwnHandler) throws(TapLatencyError) -> TapReport {
        var report = try Measurement.report(of: handler, under: conditions)
        report.atRest = try Measurement.report(of: handler, under: conditions.atRest).marks
        return report
    }
}

extension FirmwareComparison {
    /// The processor's time of a handler's stages as the model charges them, beside what was counted on the image.
    init(
        _ report: TapReport, _ table: CountTable, counted: [String: Double], on processor: Processor
    ) {
        self.init(
            stages: report.stages.compactMap { stage in
                guard let count = counted[stage.name], let modelled = table.stages[stage.name] else { return nil }
                return Stage(
                    name: stage.name, modelled: processor.microseconds(instructions: Double(modelled.instructions)),
                    measured: processor.microseconds(instructions: count))
            })
    }
}
