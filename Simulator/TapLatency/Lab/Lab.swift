import DeviceModel
import Dispatch
import Emulator
import HostSystem
import Synchronization
import Watch
import WatchLink

/// Measures the lab's steps, numbered 1 to 19, on one device. Most steps follow an essay on a slow shopping list, and the lab
/// adds the other steps.
package struct Lab: Sendable {
    package let conditions: Conditions
    let budget: Budget
    let steps: ClosedRange<Int>
    package static let allSteps = 1...19

    /// Receives the number of finished measurements, the number of all measurements, and the name of the current group of
    /// measurements.
    package typealias Progress = (_ done: Int, _ all: Int, _ next: String) -> Void

    package init(
        _ conditions: Conditions = Conditions(), budget: Budget = .tapToUpdate, steps: ClosedRange<Int> = Lab.allSteps
    ) throws(TapLatencyError) {
        self.conditions = conditions
        self.budget = budget
        self.steps = steps
        try conditions.check()
        guard steps.clamped(to: Lab.allSteps) == steps else {
            throw .steps("\(steps.lowerBound)-\(steps.upperBound)")
        }
    }

    /// Parses steps such as "1-19" or "8".
    package static func steps(in text: String) throws(TapLatencyError) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil,
            first <= last, (first...last).clamped(to: allSteps) == first...last
        else { throw .steps(text) }
        return first...last
    }

    /// Measures the steps. Calls `progress` at the beginning of each group of measurements, and after each measurement, on the
    /// caller's thread.
    package func run(progress: @escaping Progress = { _, _, _ in }) throws(TapLatencyError) -> LabReport {
        var run = LabRun(self, progress: progress)
        return try run.report()
    }

    package func measure(_ handler: OwnHandler) throws(TapLatencyError) -> TapReport {
        var report = try conditions.report(of: handler)
        report.atRest = try conditions.atRest.report(of: handler).marks
        return report
    }
}

struct LabRun {
    private let lab: Lab
    private let progress: Lab.Progress
    private let steps: [LabStep]
    private let jobs: [Job]
    private var done = 0
    private var handlers: [OwnHandler: TapReport] = [:]
    private var measured: [String: TapReport] = [:]
    private var causes: [LegacyPoint] = []
    private var cases: [EssayCase] = []
    private var controls: [String: ControlRun] = [:]
    private var absences: [String: [StageAbsence]] = [:]

    private static let lengths = [8, 32, 128]
    private static let losses = [0, 0.25, 0.5, 0.75, 1]

    init(_ lab: Lab, progress: @escaping Lab.Progress) {
        self.lab = lab
        self.progress = progress
        steps = LabStep.all.filter { lab.steps.contains($0.number) }
        // Each step is compared with the step before it.
        let sources = Set(steps.flatMap { [$0.source.label, ($0.before ?? $0).source.label] })
        let own = LabStep.all.filter { sources.contains($0.label) && $0.kind != .compare }
        let causes = lab.steps == Lab.allSteps ? LegacyPoint.causes : []
        let cases = lab.steps == Lab.allSteps ? EssayCondition.all : []
        // The longest measurements start first: those in which each tap waits for the phone's whole list.
        let handlers = [Job.own(.legacy), .own(.shipping)]
        let long = own.filter(\.reloads).map(Job.step) + causes.map(Job.cause) + cases.map(Job.essay)
        let short = own.filter { !$0.reloads }.map(Job.step)
        jobs = handlers + long + [.atRest(.legacy), .atRest(.shipping)] + short
    }

    private enum Job: Sendable {
        case own(OwnHandler)
        case step(LabStep)
        /// At most five taps with this handler. Each tap comes when the connection has its slow parameters.
        case atRest(OwnHandler)
        case cause(LegacyPoint)
        case essay(EssayCondition)

        func report(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
            switch self {
            case .own(let handler): try conditions.report(of: handler)
            case .step(let step): try conditions.bench(of: step.stages).report(called: step.name)
            case .atRest(let handler): try conditions.atRest.report(of: handler)
            case .cause(let cause): try cause.conditions(from: conditions).report(of: .legacy)
            case .essay(let condition): try condition.report(under: conditions)
            }
        }
    }

    private var controlled: [LabStep] { steps.filter(\.isControlled).sorted { $0.reloads && !$1.reloads } }
    private var additions: [(step: String, stage: PlacedStage)] {
        steps.flatMap { step in step.added.map { (step: step.label, stage: $0) } }
    }
    private var all: Int {
        jobs.count + controlled.count + additions.count + LabRun.lengths.count + LabRun.losses.count
    }

    private mutating func measure<Subject: Sendable, Answer: Sendable>(
        _ subjects: [Subject], _ name: String,
        _ work: @escaping @Sendable (Subject, Conditions) throws(TapLatencyError) -> Answer
    ) throws(TapLatencyError) -> [Answer] {
        let (before, all, conditions) = (done, all, lab.conditions)
        done += subjects.count
        return try ParallelJobs.run(
            subjects, progress: { progress(before + $0, all, name) }
        ) { (subject) throws(TapLatencyError) in try work(subject, conditions) }
    }

    mutating func report() throws(TapLatencyError) -> LabReport {
        try measureHandlers()
        guard let legacy = handlers[.legacy], let shipping = handlers[.shipping] else { throw .watchFailed }
        let runs = try measure(controlled, "the control runs") { (step, conditions) throws(TapLatencyError) in
            try ControlRun(of: step, under: conditions)
        }
        for (step, run) in zip(controlled, runs) { controls[step.label] = run }
        let found = try measure(additions, "what is missing without each stage") {
            (addition, conditions) throws(TapLatencyError) in
            try conditions.absence(of: addition.stage)
        }
        for (addition, absence) in zip(additions, found) { absences[addition.step, default: []].append(absence) }
        var taken: [StepReport] = []
        for step in steps { taken.append(try take(step)) }
        return LabReport(
            profile: lab.conditions.profile.name, items: lab.conditions.items, database: lab.conditions.listLength,
            taps: lab.conditions.taps, seed: lab.conditions.seed, steps: taken, legacy: legacy, shipping: shipping,
            panelFloor: shipping.panelFloor, curve: try curve(), legacyCauses: causes.isEmpty ? nil : causes,
            essay: EssayShare.shares(of: legacy), essayCases: cases.isEmpty ? nil : cases)
    }

    private mutating func measureHandlers() throws(TapLatencyError) {
        let reports = try measure(jobs, "handlers and steps") { (job, conditions) throws(TapLatencyError) in
            try job.report(under: conditions)
        }
        for (job, report) in zip(jobs, reports) {
            switch job {
            case .own(let handler): handlers[handler] = report
            case .step(let step): measured[step.label] = report
            case .atRest(let handler): handlers[handler]?.atRest = report.marks
            case .cause(let cause):
                causes.append(cause)
                causes[causes.count - 1].updated = report.marks.updated
            case .essay(let condition): cases.append(EssayCase(condition.name, condition.assumed, report))
            }
        }
        for step in LabStep.all where step.kind == .compare { measured[step.label] = handlers[.shipping] }
    }

    private func take(_ step: LabStep) throws(TapLatencyError) -> StepReport {
        guard let report = measured[step.source.label] else { throw .watchFailed }
        var evidence = StepEvidence(report: report, budget: lab.budget)
        let before = step.before
        evidence.before = before.flatMap { measured[$0.source.label] }
        var own = report.marks
        switch step.kind {
        case .prove:
            let proof = try lab.conditions.bench(of: step.stages).cutProof()
            evidence.proof = proof
            own = proof.marks
        case .compare: evidence.predicted = try predicted()
        case .measure, .attribute: break
        }
        switch step.expectation {
        case .fixed(let name), .improved(let name):
            evidence.earlierStage = evidence.before?.stages.first { $0.name == name }
        case .unneeded:
            var few = lab.conditions
            few.taps = min(few.taps, 10)
            evidence.effects = (
                try few.effects(of: step.stages), try few.effects(of: before?.stages ?? [])
            )
        case .reference, .free, .unnoticed, .slow, .explained, .asynchronous, .lossless, .predicted: break
        }
        let (found, verdict) = step.conclude(evidence)
        let change = evidence.before.map { StepChange(of: own, against: before?.label, $0.marks) }
        let control = controls[step.label]
        return StepReport(
            step: step.label, isAdded: step.isAdded, name: step.name, hypothesis: step.hypothesis, found: found,
            verdict: verdict,
            change: change, marks: own, bounds: step.kind == .prove ? nil : report.bounds, control: control,
            chance: control?.chance(of: own, change), absences: absences[step.label] ?? [],
            stages: report.stages.map(\.withoutCode))
    }

    /// Returns the shipping handler's median time from touch to update, in microseconds, as the table of instruction counts
    /// predicts it. Nil if the lab's other times also come from that table.
    private func predicted() throws(TapLatencyError) -> UInt64? {
        guard case .executed = lab.conditions.processor else { return nil }
        var counted = lab.conditions
        counted.processor = .counted
        return try counted.report(of: .shipping).marks.updated?.p50
    }

    /// Measures the shipping handler with lists of several lengths, then with several rates of packet loss. All taps are on the
    /// top row, because its removal changes the most lines.
    private mutating func curve() throws(TapLatencyError) -> Curve {
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
        let points = try measure(items + loss, "shipping with other lists and with losses") {
            (conditions, _) throws(TapLatencyError) -> CurvePoint? in
            let marks = try conditions.report(of: .shipping).marks
            guard let updated = marks.updated, let settled = marks.settled else { return nil }
            return CurvePoint(items: conditions.items, loss: conditions.loss, updated: updated, settled: settled)
        }
        return Curve(
            items: points.prefix(items.count).compactMap(\.self), loss: points.dropFirst(items.count).compactMap(\.self)
        )
    }
}

extension Conditions {
    fileprivate func report(of handler: OwnHandler) throws(TapLatencyError) -> TapReport {
        try bench(of: handler).report(called: handler.rawValue)
    }
}

extension LabStep {
    /// The step whose measurement this step uses. If this step only finds the causes of a time, it uses the previous step's
    /// measurement. Otherwise it uses its own.
    fileprivate var source: LabStep {
        switch kind {
        case .attribute: before ?? self
        case .measure, .prove, .compare: self
        }
    }

    /// Whether each tap of the step waits for the phone's whole list.
    var reloads: Bool { stages.contains { $0.runs && $0.stage == ReloadingComplication.self } }

    fileprivate var isControlled: Bool {
        switch kind {
        case .measure, .compare: true
        case .attribute, .prove: false
        }
    }
}

extension ControlRun {
    fileprivate init(of step: LabStep, under conditions: Conditions) throws(TapLatencyError) {
        var others = conditions
        others.seed &+= 1
        if step.reloads { others.taps = min(others.taps, 10) }
        let report = try others.bench(of: step.stages).report(called: step.name)
        self.init(seed: others.seed, taps: others.taps, updated: report.marks.updated)
    }
}

extension LegacyPoint {
    /// The points to measure. The length of the phone's list and the number of packets in a connection event determine the
    /// legacy handler's time from touch to update.
    fileprivate static let causes = [200, 2_000, 5_000].flatMap { database in
        [1, 3, 6].map { LegacyPoint(database: database, packetsPerEvent: $0) }
    }

    /// Returns `conditions` with this point's numbers. The watch is full, because only then is the phone's list as long as
    /// `database`.
    fileprivate func conditions(from conditions: Conditions) -> Conditions {
        var varied = conditions
        varied.items = WatchLimits.items
        varied.database = database
        // Two taps suffice for a median, because their times differ only by the phase of the connection events.
        varied.taps = min(conditions.taps, 2)
        varied.profile.radio.packetsPerEvent = packetsPerEvent
        return varied
    }
}

/// A condition under which the lab measures the slow handler. In the essay, sorting the list and sending the message took most
/// of a tap. Each condition changes how much of a tap they take in the lab.
struct EssayCondition: Sendable {
    let name: String
    var stages = fixed
    /// When the phone suspends its app, and how long the app takes to wake up. If nil, the profile decides.
    var suspension: PhoneCost.Suspension?
    var flash = FlashPace.typical

    var assumed: String? { suspension.map { _ in PhoneCost.Suspension.assumption } }

    static let all = [
        EssayCondition(name: "complication fixed, as in the essay"),
        EssayCondition(name: "and the flash chip at its slowest", flash: .maximum),
        EssayCondition(name: "and the phone's app suspended", suspension: .usual),
        EssayCondition(
            name: "app suspended, complication as it was", stages: OwnHandler.legacy.stages, suspension: .usual),
    ]

    /// The legacy handler's stages, except that the complication does not reload the list. The essay also removes the reload
    /// before it improves the sorting and the message.
    private static let fixed: [PlacedStage] = OwnHandler.legacy.stages.map {
        $0.stage == ReloadingComplication.self ? .immediate(ComplicationUpdate.self) : $0
    }

    func report(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        var changed = conditions
        // If the phone suspends its app, the rest before each tap is long.
        changed.taps = min(conditions.taps, 5)
        changed.flash = flash
        changed.profile.phone.suspension = suspension ?? conditions.profile.phone.suspension
        return try changed.bench(of: stages).report(called: name)
    }
}

enum ParallelJobs {
    /// Runs jobs on several threads, and waits for all of them. Calls `progress` on the caller's thread with the number of
    /// finished jobs. The answers are in the order of `jobs`. If several jobs fail, throws the error of the first of them in
    /// this order.
    static func run<Job: Sendable, Answer: Sendable>(
        _ jobs: [Job], progress: (Int) -> Void,
        _ work: @escaping @Sendable (Job) throws(TapLatencyError) -> Answer
    ) throws(TapLatencyError) -> [Answer] {
        let board = ResultBoard<Answer>(count: jobs.count)
        progress(0)
        DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: jobs.count) { number in
                do throws(TapLatencyError) {
                    board.enter(.success(try work(jobs[number])), of: number)
                } catch {
                    board.enter(.failure(error), of: number)
                }
            }
        }
        for done in jobs.indices {
            board.news.wait()
            progress(done + 1)
        }
        var answers: [Answer] = []
        for result in board.results { answers.append(try result.get()) }
        return answers
    }
}

private final class ResultBoard<Answer: Sendable>: Sendable {
    let news = DispatchSemaphore(value: 0)
    private let entries: Mutex<[Result<Answer, TapLatencyError>?]>

    init(count: Int) {
        entries = Mutex([Result<Answer, TapLatencyError>?](repeating: nil, count: count))
    }

    func enter(_ result: Result<Answer, TapLatencyError>, of number: Int) {
        entries.withLock { $0[number] = result }
        news.signal()
    }

    var results: [Result<Answer, TapLatencyError>] { entries.withLock { $0.compactMap(\.self) } }
}
