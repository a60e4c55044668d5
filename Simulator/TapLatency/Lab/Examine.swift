import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures a handler first without stages, then with each stage added in order. Compares each result with a budget.
///
/// - Parameters:
///   - handler: a handler composed with `TapHandlerBuilder`, or a `StageSequence`.
///   - items: the number of items on the watch, 1 to 128.
///   - taps: the number of taps in each measurement, 1 to 100,000.
///   - database: the number of items in the phone's database.
///   - name: the handler's name in the report. Nil for the name of its type.
///   - file: a source file of the package whose `tapline count` counts apply, by default the caller's.
/// - Throws: `TapLatencyError` if an argument is wrong.
public func examine(
    _ handler: some TapHandler, on profile: DeviceProfile = .memoryLCD, budget: Budget = .tapToUpdate,
    items: Int = 128, taps: Int = 50, seed: UInt64 = 1, database: Int = 2_000, name: String? = nil,
    file: StaticString = #filePath
) throws(TapLatencyError) -> HandlerTrial {
    let called = name ?? handlerName(handler)
    guard let sequence = StageSequence(of: handler) else { throw .notComposed(handler: called) }
    var conditions = Conditions(profile: profile, items: items, taps: taps, seed: seed, database: database)
    conditions.counts = try? PackageSources.counts(around: "\(file)")
    let subject = CompiledSubject(name: called, placed: sequence.stages, ownCode: conditions.of(handler).ownCode)
    return try examine(subject, under: conditions, budget: budget)
}

/// Executes a handler of an image stage by stage. `progress` takes the number of finished stages. A stage that traps or does not
/// end is part of the report.
package func examine(
    _ image: LabImage, handler place: Int, under conditions: Conditions, budget: Budget = .tapToUpdate,
    progress: (Int) -> Void = { _ in }
) throws(TapLatencyError) -> HandlerTrial {
    var executed = conditions
    executed.processor = .executed(image)
    try executed.check()
    return try examine(ExecutedSubject(image: image, place: place), under: executed, budget: budget, progress)
}

func examine(
    _ subject: some TrialSubject, under conditions: Conditions, budget: Budget = .tapToUpdate,
    _ progress: (Int) -> Void = { _ in }
) throws(TapLatencyError) -> HandlerTrial {
    var examination = Examination(subject: subject, budget: budget, conditions: conditions)
    return try examination.run(progress)
}

private struct Examination<Subject: TrialSubject> {
    let subject: Subject
    let budget: Budget
    let conditions: Conditions
    var stages: [TrialStage] = []
    var trials: [StageTrial] = []

    mutating func run(_ progress: (Int) -> Void) throws(TapLatencyError) -> HandlerTrial {
        let off = try subject.report(of: [], under: conditions)
        var whole = off
        for (index, stage) in subject.stages.enumerated() {
            progress(index)
            do throws(TapLatencyError) {
                let report = try subject.report(of: stages + [stage], under: conditions)
                trials.append(trial(of: stage, report, after: whole))
                stages.append(stage)
                whole = report
            } catch {
                guard let trial = failure(of: stage, error) else { throw error }
                trials.append(trial)
            }
        }
        try advise()
        let staged = whole
        if trials.allSatisfy({ $0.cost != nil }) { whole = try subject.wholeReport(under: conditions) }
        let isKept = whole.keeps(budget)
        let around = StepChange(of: whole.marks, against: nil, staged.marks).updated
        let isAround = staged.keeps(budget)
        return HandlerTrial(
            off: off, stages: trials, around: around, whole: whole, verdict: isKept ? .kept : .exceeds,
            culprit: isKept ? nil : isAround ? HandlerTrial.aroundStages : whole.slowestStage(until: budget.mark)?.name)
    }

    private func trial(of stage: TrialStage, _ report: TapReport, after before: TapReport) -> StageTrial {
        let cost = report.stages.last { $0.name == stage.name && $0.placement == stage.placement }
        let change = StepChange(of: report.marks, against: nil, before.marks).updated
        var found = "tap-to-update \(Figure.change(change))"
        if let cost, let (kind, share) = cost.mean.largest {
            found += ": it takes \(Figure.time(cost.time.p50)), \(Figure.percent(share)) \(kind.title)"
            found += cost.instructionCount.remark
        }
        let verdict: TrialVerdict =
            switch (before.marks[budget.mark] == nil || before.keeps(budget), report.keeps(budget)) {
            case (_, true): .kept
            case (true, false): .exceeds
            case (false, false): .late
            }
        return StageTrial(
            stage: stage.name, placement: stage.placement, verdict: verdict, found: found, advice: [], change: change,
            cost: cost?.withoutCode, marks: report.marks)
    }

    /// The trial of a stage that trapped or did not end. Nil if the error is not about this stage.
    private func failure(of stage: TrialStage, _ error: TapLatencyError) -> StageTrial? {
        guard case .notExecuted(stage.name, _) = error else { return nil }
        return StageTrial(
            stage: stage.name, placement: stage.placement, verdict: .trapped, found: error.description, advice: [],
            change: nil, cost: nil, marks: MarkTimes())
    }

    // MARK: Advice

    /// Tries remedies for the immediate stages that take at least a twentieth of the budget.
    private mutating func advise() throws(TapLatencyError) {
        var few = conditions
        few.taps = min(few.taps, 12)
        let notable = Double(budget.limit.count) / 20
        let candidates = trials.indices.filter { index in
            trials[index].placement == .immediate && (trials[index].cost?.mean.total ?? 0) >= notable
        }
        guard !candidates.isEmpty else { return }
        let present = try subject.effects(of: stages, under: few)
        for index in candidates {
            guard let place = place(of: trials[index]) else { continue }
            trials[index].advice = try advice(for: place, trials[index], present, few)
        }
    }

    private func place(of trial: StageTrial) -> Int? {
        stages.firstIndex { $0.name == trial.stage && $0.placement == trial.placement }
    }

    private func advice(
        for place: Int, _ trial: StageTrial, _ present: TapEffects, _ few: Conditions
    ) throws(TapLatencyError) -> [Advice] {
        var without = stages
        without.remove(at: place)
        let absent = try subject.effects(of: without, under: few)
        if absent == present { return [.drop] }
        var advice: [Advice] = []
        var later = stages
        later[place].placement = .deferred
        if try subject.effects(of: later, under: few) == present { advice.append(.defer) }
        let waits = trial.cost?.mean.remote ?? 0
        // If a stage sends the check-off, each tap needs a new answer from the phone.
        if waits > (trial.cost?.mean.total ?? 0) / 2, absent.checkOffs == present.checkOffs {
            var deaf = few
            deaf.loss = 1
            let unanswered = try subject.effects(of: stages, under: deaf)
            if unanswered.agreement(with: present) > 0.5 { advice.append(.cache) }
        }
        return advice
    }
}

struct TrialStage: Equatable, Sendable {
    let number: Int
    let name: String
    var placement: StagePlacement
}

/// A handler that can be measured with only some of its stages.
protocol TrialSubject {
    var name: String { get }
    var stages: [TrialStage] { get }

    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport

    /// Measures taps with the whole handler, including its code outside the stages.
    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport

    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects
}

struct CompiledSubject: TrialSubject {
    let name: String
    let placed: [PlacedStage]
    let ownCode: OwnCode

    var stages: [TrialStage] {
        placed.indices.filter { placed[$0].runs }
            .map { TrialStage(number: $0, name: placed[$0].name, placement: placed[$0].placement) }
    }

    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try conditions.report(of: StageSequence(switched(stages)), called: name)
    }

    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects {
        try conditions.effects(of: switched(stages))
    }

    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        var whole = conditions
        whole.ownCode = ownCode
        return try whole.report(of: StageSequence(placed), called: name)
    }

    private func switched(_ stages: [TrialStage]) -> [PlacedStage] {
        placed.indices.map { index in
            var stage = placed[index]
            guard let wanted = stages.first(where: { $0.number == index }) else { return stage.off }
            stage.placement = wanted.placement
            return stage
        }
    }
}

struct ExecutedSubject: TrialSubject {
    let image: LabImage
    let place: Int

    var name: String { image.handlers[place].name }

    var stages: [TrialStage] {
        image.handlers[place].stages.enumerated()
            .map { TrialStage(number: $0, name: $1.name, placement: $1.placement) }
    }

    func report(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try conditions.report(of: handler(stages), called: name)
    }

    func effects(of stages: [TrialStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects {
        try TapBench.make(handler(stages), under: conditions).effects()
    }

    func wholeReport(under conditions: Conditions) throws(TapLatencyError) -> TapReport {
        try conditions.report(of: ExecutedHandler(image, handler: place), called: name)
    }

    private func handler(_ stages: [TrialStage]) -> ExecutedHandler {
        ExecutedHandler(
            image, handler: place,
            choosing: stages.map { HandlerComposition.ChosenStage(stage: $0.number, placement: $0.placement) })
    }
}

// MARK: The report

/// A remedy for a stage that makes the wearer wait. It is given only if measurements support it.
public enum Advice: String, Sendable, CaseIterable, Encodable {
    /// Run the stage after the update: the panel shows the same at the update and at the end.
    case `defer`
    /// Remove the stage: the watch shows, stores and sends the same without it.
    case drop
    /// Keep the phone's answer for later taps: most taps end the same without a new answer.
    case cache
}

/// Whether the handler is within its budget with a stage.
public enum TrialVerdict: String, Sendable, CaseIterable, Encodable {
    /// The handler is within its budget with the stage.
    case kept
    /// The handler is within its budget without the stage, and over it with the stage.
    case exceeds
    /// The handler is over its budget even without the stage.
    case late
    /// The stage trapped or did not end, and the lab stopped it. Later stages are measured without it.
    case trapped
}

/// The measurement of a handler with one more stage.
public struct StageTrial: Sendable, Encodable, Equatable {
    /// The name of the stage.
    public var stage: String
    /// Whether the wearer waits for the stage (immediate) or not (deferred).
    public var placement: StagePlacement
    /// Whether the handler is within its budget with the stage.
    public var verdict: TrialVerdict
    /// The finding: one sentence with the figures.
    public var found: String
    /// The remedies that measurements support.
    public var advice: [Advice]
    /// The change of the median time from touch to update, in microseconds. Nil if the stage did not end.
    package var change: Int64?
    package var cost: StageReport?
    /// The times of taps with this stage and the stages before it.
    package var marks: MarkTimes
}

/// The stage-by-stage measurement of a handler.
public struct HandlerTrial: Sendable, Encodable, Equatable {
    package var off: TapReport
    /// The measurements of the stages, in the order of the handler.
    public var stages: [StageTrial]
    /// The median time that code outside the stages adds to the update, in microseconds. Nil if no tap updated the panel.
    package var around: Int64?
    /// The measurement of the whole handler. If a stage does not end, this is the measurement of the other stages.
    public var whole: TapReport
    /// Whether `whole` is within the budget.
    public var verdict: TrialVerdict
    /// The stage that takes most of the wearer's time; nil if the handler is within its budget.
    public var culprit: String?

    /// The value of `culprit` if the code outside the stages takes most of the time.
    package static let aroundStages = "code around the stages"

    package var json: [UInt8] { reportJSON() }
}
