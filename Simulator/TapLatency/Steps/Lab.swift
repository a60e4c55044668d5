import DeviceModel
import HostSystem
import MachineWatch
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
    /// The image that is executed; nil for the table of what was counted.
    package var image: LabImage?

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
        database: Int = 2_000, budget: Budget = .tapToUpdate, steps: ClosedRange<Int> = 1...19,
        image: LabImage? = nil
    ) throws(TapLatencyError) {
        self.profile = profile
        self.items = items
        self.taps = taps
        self.seed = seed
        self.database = database
        self.budget = budget
        self.steps = steps
        self.image = image
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
        Conditions(
            profile: profile, items: items, taps: taps, seed: seed, database: database,
            processor: image.map { .executed($0) } ?? .counted)
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

    /// Measures one of the two handlers alone.
    package func measure(_ handler: OwnHandler) throws(TapLatencyError) -> TapReport {
        var report = try Measurement.report(of: handler, under: conditions)
        report.atRest = try Measurement.report(of: handler, under: conditions.atRest).marks
        return report
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
    /// The two handlers, where they were executed ahead of the steps.
    private var own: [OwnHandler: TapReport] = [:]
    /// The times of the two at rest, and of legacy by what they follow from, where these were executed ahead of the steps.
    private var resting: [OwnHandler: MarkTimes] = [:]
    private var origins: [TapReport] = []
    private var done = 0

    private static let lengths = [8, 32, 128]
    private static let losses = [0, 0.25, 0.5, 0.75, 1]

    init(_ lab: Lab, _ firmware: [String: Double]?) {
        self.lab = lab
        self.firmware = firmware
    }

    private var all: Int { lab.steps.count + 4 + causes.count + LabRun.lengths.count + LabRun.losses.count }

    /// What legacy's time is varied by, where the whole lab is run.
    private var causes: [LegacyCause] { lab.steps == 1...LabStep.all.count ? LegacyCause.all : [] }

    private mutating func next(_ name: String, _ progress: (Lab.Progress) -> Void) {
        progress(Lab.Progress(done: done, all: all, next: name))
        done += 1
    }

    mutating func report(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) -> LabReport {
        if case .executed = lab.conditions.processor { try execute(progress) }
        let legacy = try tempered(.legacy, progress)
        let shipping = try tempered(.shipping, progress)
        for stage in shipping.stages where firmware.map({ $0[stage.name] == nil }) ?? false {
            throw .notOnFirmware(stage.name)
        }
        let comparison = firmware.map { counted in
            FirmwareComparison(
                shipping, .measured(items: lab.conditions.listLength), counted: counted, on: lab.profile.processor)
        }
        let prediction = try predict(progress)
        var steps: [StepReport] = []
        for step in LabStep.all where lab.steps.contains(step.number) {
            if measured[step.number] == nil { next("step \(step.number), \(step.name)", progress) }
            steps.append(try take(step, shipping, comparison, prediction))
        }
        return LabReport(
            profile: lab.profile.name, items: lab.items,
            database: lab.conditions.listLength, taps: lab.taps, seed: lab.seed,
            steps: steps, legacy: legacy, shipping: shipping, panelFloor: shipping.panelFloor, firmware: comparison,
            prediction: prediction,
            curve: try curve(progress), legacyCauses: try legacyCauses(progress))
    }

    /// A handler's report, with its taps at rest.
    private mutating func tempered(
        _ handler: OwnHandler, _ progress: (Lab.Progress) -> Void
    ) throws(TapLatencyError) -> TapReport {
        var report = try measurement(of: handler, progress)
        if resting[handler] == nil {
            next("\(handler.rawValue) at rest", progress)
            resting[handler] = try LabJob.atRest(handler).report(under: lab.conditions).marks
        }
        report.atRest = resting[handler]
        return report
    }

    /// Legacy's times by what they follow from; nil where they are not asked for.
    private mutating func legacyCauses(
        _ progress: (Lab.Progress) -> Void
    ) throws(TapLatencyError) -> [LegacyPoint]? {
        if causes.isEmpty { return nil }
        while origins.count < causes.count {
            let cause = causes[origins.count]
            next("legacy with \(CountText(cause.database, "item")) on the phone", progress)
            origins.append(try LabJob.cause(cause).report(under: lab.conditions))
        }
        return zip(causes, origins).map(LegacyPoint.init)
    }

    /// What the table predicts, judged by execution: where the steps compare the two, and there is something to execute.
    private func predict(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) -> PredictionReport? {
        guard case .executed = lab.conditions.processor, lab.steps.contains(LabStep.all.count) else { return nil }
        return try PredictionReport(lab.conditions) { done, all in
            progress(Lab.Progress(done: done, all: all, next: "what the table of counts predicts"))
        }
    }

    private mutating func measurement(
        of handler: OwnHandler, _ progress: (Lab.Progress) -> Void
    ) throws(TapLatencyError) -> TapReport {
        if let report = own[handler] { return report }
        next(handler.rawValue, progress)
        return try Measurement.report(of: handler, under: lab.conditions)
    }

    /// Executes the two handlers and the steps side by side, those that take longest first.
    private mutating func execute(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) {
        let conditions = lab.conditions
        let steps = LabStep.all.filter { step in
            switch step.kind {
            case .measure, .prove: lab.steps.contains(step.number)
            case .attribute, .compare: false
            }
        }
        // Waiting for the phone's whole list takes longest.
        let jobs =
            [LabJob.own(.legacy), .own(.shipping)] + steps.filter(\.reloads).map(LabJob.step)
            + causes.map(LabJob.cause) + [.atRest(.legacy), .atRest(.shipping)]
            + steps.filter { !$0.reloads }.map(LabJob.step)
        let reports = try SideBySide.run(
            jobs,
            progress: { [all] done in
                progress(Lab.Progress(done: done, all: all, next: "the machine code of handlers and steps"))
            }
        ) { (job) throws(TapLatencyError) in try job.report(under: conditions) }
        for (job, report) in zip(jobs, reports) {
            switch job {
            case .own(let handler): own[handler] = report
            case .step(let step): measured[step.number] = report
            case .atRest(let handler): resting[handler] = report.marks
            case .cause: origins.append(report)
            }
        }
        done = jobs.count
    }

    /// The measurement of a step, which later ones are compared with.
    private mutating func measurement(of step: LabStep, _ shipping: TapReport) throws(TapLatencyError) -> TapReport {
        if let report = measured[step.number] { return report }
        let report: TapReport
        switch step.kind {
        case .attribute: report = try measurement(of: LabStep.all[step.number - 2], shipping)
        case .compare: report = shipping
        case .measure, .prove:
            report = try Measurement.report(of: step.stages, called: step.name, under: lab.conditions)
        }
        measured[step.number] = report
        return report
    }

    private mutating func take(
        _ step: LabStep, _ shipping: TapReport, _ comparison: FirmwareComparison?, _ prediction: PredictionReport?
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
        case .compare:
            evidence.firmware = comparison
            evidence.prediction = prediction
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
            change: change, marks: own, stages: evidence.report.stages.map(\.withoutFunctions))
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
        let report = try Measurement.report(of: .shipping, under: conditions)
        guard let updated = report.marks.updated, let settled = report.marks.settled else { return }
        points.append(
            CurvePoint(items: conditions.items, loss: conditions.loss, updated: updated, settled: settled))
    }
}

extension LabStep {
    /// Whether a tap waits for all of the phone's list.
    fileprivate var reloads: Bool { stages.contains { $0.runs && $0.stage == ReloadingComplication.self } }
}

/// A measurement that needs no other one.
enum LabJob: Sendable {
    case own(OwnHandler)
    case step(LabStep)
    /// Few taps, each on a connection at rest.
    case atRest(OwnHandler)
    case cause(LegacyCause)

    func report(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        switch self {
        case .own(let handler): try Measurement.report(of: handler, under: conditions)
        case .step(let step): try Measurement.report(of: step.stages, called: step.name, under: conditions)
        case .atRest(let handler): try Measurement.report(of: handler, under: conditions.atRest)
        case .cause(let cause): try Measurement.report(of: .legacy, under: cause.conditions(from: conditions))
        }
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

/// Executes the shipping handler of the firmware image and counts instructions.
package protocol FirmwareMeasuring {
    /// The instructions of every stage by its name: the mean of `taps` taps on the list of `phone`.
    ///
    /// - Throws: whatever keeps the image from being run.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double]
}
