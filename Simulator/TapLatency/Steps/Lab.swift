import DeviceModel
import HostSystem
import Watch
import WatchLink

/// Runs the nineteen steps on one device, and reports what it finds.
package struct Lab: Sendable {
    package var profile: DeviceProfile
    /// Items on the watch, 1 to 128.
    package var items: Int
    /// Taps of each measurement, 1 to 100,000.
    package var taps: Int
    package var seed: UInt64
    /// Items in the phone's database.
    package var database: Int
    /// The longest that the wearer may wait.
    package var budget: Budget
    /// The steps that are taken: 1 to 19.
    package var steps: ClosedRange<Int>

    /// How far a run is.
    package struct Progress: Sendable, Equatable {
        /// Measurements that are done.
        package var done: Int
        /// Measurements in all.
        package var all: Int
        /// What is measured next.
        package var next: String
    }

    /// A lab.
    ///
    /// - Throws: what is wrong with the arguments.
    package init(
        profile: DeviceProfile = .memoryLCD, items: Int = 128, taps: Int = 100, seed: UInt64 = 1,
        database: Int = 2_000, budget: Budget = .tapToUpdate, steps: ClosedRange<Int> = 1...19
    ) throws(TapLatencyError) {
        self.profile = profile
        self.items = items
        self.taps = taps
        self.seed = seed
        self.database = database
        self.budget = budget
        self.steps = steps
        try conditions.check(nil)
        guard steps.lowerBound >= 1, steps.upperBound <= 19 else {
            throw .steps("\(steps.lowerBound)-\(steps.upperBound)")
        }
    }

    /// The steps that a text means, such as "1-19" or "8".
    ///
    /// - Throws: `.steps` where it means none.
    package static func steps(in text: String) throws(TapLatencyError) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil,
            first >= 1, last <= 19, first <= last
        else { throw .steps(text) }
        return first...last
    }

    /// Taps on the firmware image at most.
    private static let firmwareTaps = 20

    var conditions: Conditions {
        Conditions(profile: profile, items: items, taps: taps, seed: seed, database: database)
    }

    /// Takes the steps, and measures legacy, shipping and the curve.
    ///
    /// - Parameters:
    ///   - firmware: instructions of shipping's stages as they were counted on the firmware image, by their names; nil
    ///     where it was not run.
    ///   - progress: called before each measurement.
    /// - Throws: which stage trapped or never returned.
    package func run(
        firmware: [String: Double]? = nil, progress: (Progress) -> Void = { _ in }
    ) throws(TapLatencyError) -> LabReport {
        var run = LabRun(self, firmware)
        return try run.report(progress)
    }

    /// The same, with the firmware measured in between.
    ///
    /// - Throws: what keeps the firmware from being run, besides a `TapLatencyError`.
    package func run(
        firmware: some FirmwareMeasuring, progress: (Progress) -> Void = { _ in }
    ) throws -> LabReport {
        // The same list as the model's; a count varies by what the board's timer rounds, so that few taps are enough.
        let phone = SampleLists.phone(items: items, database: database)
        let counted = try firmware.instructionsOfStages(with: phone, taps: min(taps, Lab.firmwareTaps))
        return try run(firmware: counted, progress: progress)
    }
}

/// One run of the lab: what was measured so far.
private struct LabRun {
    private let lab: Lab
    private let firmware: [String: Double]?
    private var measured: [Int: TapReport] = [:]
    private var marks: [Int: MarkTimes] = [:]
    private var done = 0

    private static let lengths = [8, 32, 128]
    private static let losses = [0, 0.25, 0.5, 0.75, 1]

    init(_ lab: Lab, _ firmware: [String: Double]?) {
        self.lab = lab
        self.firmware = firmware
    }

    private var all: Int { lab.steps.count + 2 + LabRun.lengths.count + LabRun.losses.count }

    private mutating func next(_ name: String, _ progress: (Lab.Progress) -> Void) {
        progress(Lab.Progress(done: done, all: all, next: name))
        done += 1
    }

    mutating func report(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) -> LabReport {
        next("legacy", progress)
        let legacy = try Measurement.report(LegacyHandler(), called: "legacy", under: lab.conditions)
        next("shipping", progress)
        let shipping = try Measurement.report(ShippingHandler(), called: "shipping", under: lab.conditions)
        for stage in shipping.stages where firmware.map({ $0[stage.name] == nil }) ?? false {
            throw .notOnFirmware(stage.name)
        }
        let comparison = firmware.map { counted in
            FirmwareComparison(
                shipping, .measured(items: lab.conditions.listLength), counted: counted, on: lab.profile.processor)
        }
        var steps: [StepReport] = []
        for step in LabStep.all where lab.steps.contains(step.number) {
            next("step \(step.number), \(step.name)", progress)
            steps.append(try take(step, shipping, comparison))
        }
        return LabReport(
            profile: lab.profile.name, items: lab.items,
            database: lab.conditions.listLength, taps: lab.taps, seed: lab.seed,
            steps: steps, legacy: legacy, shipping: shipping, panelFloor: shipping.panelFloor, firmware: comparison,
            curve: try curve(progress))
    }

    /// The measurement of a step, which later ones are compared with.
    private mutating func measurement(of step: LabStep, _ shipping: TapReport) throws(TapLatencyError) -> TapReport {
        if let report = measured[step.number] { return report }
        let report: TapReport
        switch step.kind {
        case .attribute: report = try measurement(of: LabStep.all[step.number - 2], shipping)
        case .compare: report = shipping
        case .measure, .prove:
            report = try Measurement.report(
                StageSequence(step.stages), called: step.name, under: lab.conditions)
        }
        measured[step.number] = report
        return report
    }

    private mutating func take(
        _ step: LabStep, _ shipping: TapReport, _ comparison: FirmwareComparison?
    ) throws(TapLatencyError) -> StepReport {
        var evidence = StepEvidence(report: try measurement(of: step, shipping), budget: lab.budget)
        if step.number > 1 {
            evidence.before = try measurement(of: LabStep.all[step.number - 2], shipping)
        }
        var own = evidence.report.marks
        switch step.kind {
        case .prove:
            let proof = try CutProof.run(step.stages, under: lab.conditions)
            evidence.proof = proof
            own = proof.marks
        case .compare: evidence.firmware = comparison
        case .measure, .attribute: break
        }
        switch step.expectation {
        case .fixed(let name), .improved(let name):
            evidence.earlierStage = evidence.before?.stages.first { $0.name == name }
        case .unneeded:
            var few = lab.conditions
            few.taps = min(few.taps, 10)
            evidence.effects = (
                try Measurement.effects(of: step.stages, under: few),
                try Measurement.effects(of: LabStep.all[step.number - 2].stages, under: few)
            )
        case .reference, .free, .unnoticed, .slow, .explained, .asynchronous, .lossless, .predicted: break
        }
        let (found, verdict) = step.judge(evidence)
        let change = evidence.before.map { StepChange(of: own, against: step.number - 1, $0.marks) }
        return StepReport(
            step: step.number, name: step.name, hypothesis: step.hypothesis, found: found, verdict: verdict,
            change: change, marks: own, stages: evidence.report.stages)
    }

    private mutating func curve(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) -> Curve {
        var items: [CurvePoint] = []
        for length in LabRun.lengths {
            next("shipping with \(CountText(length, "item"))", progress)
            var conditions = lab.conditions
            conditions.items = length
            conditions.database = max(length, conditions.database)
            try LabRun.add(to: &items, conditions)
        }
        var loss: [CurvePoint] = []
        for share in LabRun.losses {
            next("shipping with \(Wording.percent(share)) loss", progress)
            var conditions = lab.conditions
            conditions.loss = share
            try LabRun.add(to: &loss, conditions)
        }
        return Curve(items: items, loss: loss)
    }

    /// Measures one point. The row at the top is tapped, after which no list has more lines to send than another.
    private static func add(to points: inout [CurvePoint], _ conditions: Conditions) throws(TapLatencyError) {
        var conditions = conditions
        conditions.rows = .top
        let report = try Measurement.report(ShippingHandler(), called: "shipping", under: conditions)
        guard let updated = report.marks.updated, let settled = report.marks.settled else { return }
        points.append(
            CurvePoint(items: conditions.items, loss: conditions.loss, updated: updated, settled: settled))
    }
}

extension MarkTimes {
    init(of records: [TapRecord]) {
        self.init()
        for mark in LatencyMark.allCases { self[mark] = Distribution(records.compactMap { $0.time(to: mark) }) }
    }
}

extension FirmwareComparison {
    /// The processor's time of a handler's stages as the model charges them, beside what was counted on the image.
    fileprivate init(
        _ report: TapReport, _ table: InstructionTable, counted: [String: Double], on processor: Processor
    ) {
        self.init(
            stages: report.stages.compactMap { stage in
                guard let count = counted[stage.name], let modelled = table.stages[stage.name] else { return nil }
                return FirmwareStage(
                    name: stage.name, modelled: processor.microseconds(instructions: Double(modelled)),
                    measured: processor.microseconds(instructions: count))
            })
    }
}

/// Executes the shipping handler of the firmware image and counts instructions.
package protocol FirmwareMeasuring {
    /// The instructions of every stage by its name: the mean of `taps` taps on the list of `phone`.
    ///
    /// - Throws: whatever keeps the image from being run.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double]
}
