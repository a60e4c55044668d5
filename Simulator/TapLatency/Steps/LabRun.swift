import HostSystem
import Watch

/// One run of the lab: what was measured so far.
struct LabRun {
    private let lab: Lab
    private let firmware: [String: Double]?
    private var measured: [Int: TapReport] = [:]
    /// The two handlers, where they were executed ahead of the steps.
    private var own: [OwnHandler: TapReport] = [:]
    /// The times of the two at rest, and of legacy by what they follow from, where these were executed ahead of the steps.
    private var resting: [OwnHandler: MarkTimes] = [:]
    private var origins: [TapReport] = []
    /// Each step's control run, and what is missing without what it adds.
    private var controls: [Int: ControlRun] = [:]
    private var absences: [Int: [StageAbsence]] = [:]
    private var done = 0

    private static let lengths = [8, 32, 128]
    private static let losses = [0, 0.25, 0.5, 0.75, 1]

    init(_ lab: Lab, _ firmware: [String: Double]?) {
        self.lab = lab
        self.firmware = firmware
    }

    private var all: Int { lab.steps.count + 7 + causes.count }

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
        var steps: [StepReport] = []
        try control(progress)
        for step in LabStep.all where lab.steps.contains(step.number) {
            if measured[step.number] == nil { next("step \(step.number), \(step.name)", progress) }
            steps.append(try take(step, shipping, comparison))
        }
        return LabReport(
            profile: lab.profile.name, items: lab.items,
            database: lab.conditions.listLength, taps: lab.taps, seed: lab.seed,
            steps: steps, legacy: legacy, shipping: shipping, panelFloor: shipping.panelFloor, firmware: comparison,
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

    /// Shipping's tap-to-update by the table of counts; nil if nothing is executed that it could stand beside.
    private func predicted() throws(TapLatencyError) -> UInt64? {
        guard case .executed = lab.conditions.processor else { return nil }
        var counted = lab.conditions
        counted.processor = .counted
        return try Measurement.report(of: .shipping, under: counted).marks.updated?.p50
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

    /// Measures each step again with another seed, and what is missing without what it adds.
    private mutating func control(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) {
        let conditions = lab.conditions
        let steps = LabStep.all.filter { lab.steps.contains($0.number) }
        next("the control runs", progress)
        let jobs = steps.filter(\.isControlled).sorted { $0.reloads && !$1.reloads }
        let runs = try SideBySide.run(jobs, progress: { _ in }) { (step) throws(TapLatencyError) in
            try ControlRun(of: step, under: conditions)
        }
        for (step, run) in zip(jobs, runs) { controls[step.number] = run }
        next("what is missing without each stage", progress)
        let additions = steps.flatMap { step in step.added.map { (step: step.number, stage: $0) } }
        let found = try SideBySide.run(additions, progress: { _ in }) { (addition) throws(TapLatencyError) in
            try Measurement.absence(of: addition.stage, under: conditions)
        }
        for (addition, absence) in zip(additions, found) { absences[addition.step, default: []].append(absence) }
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
        case .compare:
            evidence.firmware = comparison
            evidence.predicted = try predicted()
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
            change: change, marks: own, bounds: step.kind == .prove ? nil : evidence.report.bounds,
            control: controls[step.number], absences: absences[step.number] ?? [],
            stages: evidence.report.stages.map(\.withoutFunctions))
    }

    /// The row at the top is tapped, after which no list has more lines to send than another.
    private mutating func curve(_ progress: (Lab.Progress) -> Void) throws(TapLatencyError) -> Curve {
        next("shipping with other lists and with losses", progress)
        var top = lab.conditions
        top.rows = .top
        let items = LabRun.lengths.map { length in
            var conditions = top
            conditions.items = length
            conditions.database = max(length, conditions.database)
            return conditions
        }
        let loss = LabRun.losses.map { share in
            var conditions = top
            conditions.loss = share
            return conditions
        }
        let points = try SideBySide.run(items + loss, progress: { _ in }) { (conditions) throws(TapLatencyError) in
            let marks = try Measurement.report(of: .shipping, under: conditions).marks
            return marks.updated.flatMap { updated in
                marks.settled.map { settled in
                    CurvePoint(items: conditions.items, loss: conditions.loss, updated: updated, settled: settled)
                }
            }
        }
        return Curve(
            items: points.prefix(items.count).compactMap(\.self), loss: points.dropFirst(items.count).compactMap(\.self)
        )
    }
}
