import DeviceModel
import Emulator
import Watch
import WatchLink

/// Measures a handler without its stages, then adds the stages one at a time, in order, and measures after each addition.
/// Compares each measurement with a budget.
///
/// - Parameters:
///   - handler: a handler composed with `TapHandlerBuilder`, or a `StageSequence`.
///   - items: the number of items on the watch, 1 to 128.
///   - taps: the number of taps in each measurement, 1 to 100,000.
///   - database: if `items` is 128, the number of items on the phone's list, 128 to 100,000. If `items` is less, the watch and
///     the phone have the same items.
///   - name: the handler's name in the report. If nil, the name of its type without "Handler", such as "shipping".
///   - file: any source file of the package in which `tapline count` has stored the counts. By default the caller's file.
/// - Throws: `.notComposed` if `handler` is not composed with `TapHandlerBuilder`; other errors if an argument is wrong.
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

/// Measures a handler stage by stage, in the emulator. `place` is the handler's index in `image`. `progress` receives the
/// number of stages that the lab has tried. If a stage traps or does not end, its trial says so, and the lab measures the later
/// stages without it.
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

    /// Returns the trial of a stage that trapped or did not end. Nil if `error` is not about this stage.
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

/// A remedy for a stage that makes the wearer wait. The lab gives a remedy only if measurements support it.
public enum Advice: String, Sendable, CaseIterable, Encodable {
    /// Run the stage after the update of the panel. The lab found that this changes nothing that the watch shows, plays, stores
    /// or sends.
    case `defer`
    /// Remove the stage. The lab found that the watch shows, plays, stores and sends the same without the stage.
    case drop
    /// Store the phone's answer and use it for later taps. The lab found that most taps end with the same screen, whether
    /// the phone answers or not.
    case cache
}

/// The lab's verdict on a stage: how the handler with this stage relates to its budget.
public enum TrialVerdict: String, Sendable, CaseIterable, Encodable {
    /// The handler with the stage is within its budget.
    case kept
    /// The handler with the stage is over its budget. Without the stage, the handler is within its budget, or never reaches the
    /// budget's mark.
    case exceeds
    /// The handler is over its budget even without the stage.
    case late
    /// The stage trapped or did not end, and the lab stopped it. Later stages are measured without it.
    case trapped
}

/// The measurement of a handler with one of its stages and the stages before it.
public struct StageTrial: Sendable, Encodable, Equatable {
    /// The name of the stage.
    public var stage: String
    /// `.immediate` if the wearer waits for the stage; otherwise `.deferred`.
    public var placement: StagePlacement
    /// The lab's verdict on the stage.
    public var verdict: TrialVerdict
    /// One sentence: how much the stage changes the time from touch to update, or why the lab stopped the stage.
    public var found: String
    /// The remedies that measurements support.
    public var advice: [Advice]
    /// How much the stage changes the median time from touch to update, in microseconds. Nil if the lab stopped the stage, or
    /// if no tap updated the panel.
    package var change: Int64?
    package var cost: StageReport?
    /// The times of taps with this stage and the stages before it.
    package var marks: MarkTimes
}

/// The stage-by-stage measurement of a handler.
public struct HandlerTrial: Sendable, Encodable, Equatable {
    package var off: TapReport
    /// One trial for each stage, in the handler's order.
    public var stages: [StageTrial]
    /// How much the handler's code outside its stages adds to the median time from touch to update, in microseconds. Nil if no
    /// tap updated the panel.
    package var around: Int64?
    /// The measurement of the whole handler. If a stage traps or does not end, this is the measurement of the other stages.
    public var whole: TapReport
    /// `kept` if `whole` is within the budget, otherwise `exceeds`.
    public var verdict: TrialVerdict
    /// What makes the handler exceed its budget. It is the name of the slowest stage that delays the budget's mark. It is "code
    /// around the stages" if the stages alone are within the budget. Nil if the handler is within its budget.
    public var culprit: String?

    /// The value of `culprit` if the stages alone are within the budget, and the handler's other code makes it exceed the
    /// budget.
    package static let aroundStages = "code around the stages"

    package var json: [UInt8] { reportJSON() }
}
