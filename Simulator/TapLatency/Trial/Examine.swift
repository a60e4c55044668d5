import DeviceModel
import Watch
import WatchLink

/// Takes a handler apart: everything off, then each stage added back in its order, attributed and judged against a
/// budget.
///
/// - Parameters:
///   - handler: a handler that is composed by `TapHandlerBuilder`, or a `StageSequence`.
///   - profile: the device.
///   - budget: the longest that the wearer may wait.
///   - items: items on the watch, 1 to 128.
///   - taps: taps of each measurement, 1 to 100,000.
///   - seed: randomness for the rows that are tapped and the rests.
///   - database: items in the phone's database.
///   - instructions: what stages execute, by their names, where neither the firmware's image nor the stage says so.
///   - name: what the report calls the handler; its type's name by default.
///   - limits: how long a stage may run until it is given up.
/// - Throws: what is wrong with the arguments. A stage that traps or never returns is part of the report.
public func examine(
    _ handler: some TapHandler, on profile: DeviceProfile = .memoryLCD, budget: Budget = .tapToUpdate,
    items: Int = 128, taps: Int = 50, seed: UInt64 = 1, database: Int = 2_000, instructions: [String: Int] = [:],
    name: String? = nil, limits: StageLimits = StageLimits()
) throws(TapLatencyError) -> HandlerTrial {
    let called = name ?? handlerName(handler)
    guard let sequence = StageSequence(of: handler) else { throw .notComposed(handler: called) }
    let conditions = Conditions(
        profile: profile, items: items, taps: taps, seed: seed, database: database, instructions: instructions,
        limits: limits)
    var examination = Examination(called, sequence.stages, budget, conditions)
    return try examination.run()
}

/// A handler that is being taken apart.
private struct Examination {
    private let name: String
    private let budget: Budget
    private let conditions: Conditions
    /// The stages, switched on one after the other.
    private var stages: [PlacedStage]
    private var trials: [StageTrial] = []

    init(_ name: String, _ stages: [PlacedStage], _ budget: Budget, _ conditions: Conditions) {
        self.name = name
        self.budget = budget
        self.conditions = conditions
        self.stages = stages
    }

    mutating func run() throws(TapLatencyError) -> HandlerTrial {
        let wanted = stages
        stages = wanted.map(\.off)
        let off = try Measurement.report(StageSequence(stages), called: name, under: conditions)
        var whole = off
        for (index, stage) in wanted.enumerated() where stage.runs {
            stages[index] = stage
            do throws(TapLatencyError) {
                let report = try Measurement.report(StageSequence(stages), called: name, under: conditions)
                trials.append(trial(of: stage, report, after: whole))
                whole = report
            } catch {
                guard let trial = failure(of: stage, error, after: whole) else { throw error }
                trials.append(trial)
                stages[index] = stage.off
            }
        }
        try advise()
        let isKept = whole.keeps(budget)
        return HandlerTrial(
            off: off, stages: trials, whole: whole, verdict: isKept ? .kept : .exceeds,
            culprit: isKept ? nil : whole.slowestStage(until: budget.mark)?.name)
    }

    private func trial(of stage: PlacedStage, _ report: TapReport, after before: TapReport) -> StageTrial {
        let cost = report.stages.last { $0.name == stage.name && $0.placement == stage.placement }
        let change = Int64(clamping: report.marks.updated?.p50 ?? 0) - Int64(clamping: before.marks.updated?.p50 ?? 0)
        var found = "tap-to-update \(Wording.difference(change))"
        if let cost, let (kind, share) = cost.mean.largest {
            found += ": it takes \(Wording.time(cost.time.p50)), \(Wording.percent(share)) \(kind.title)"
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
            cost: cost, marks: report.marks)
    }

    /// The trial of a stage that did not come back; nil where something else went wrong.
    private func failure(of stage: PlacedStage, _ error: TapLatencyError, after before: TapReport) -> StageTrial? {
        let verdict: TrialVerdict
        if case .stageTrapped(stage.name) = error {
            verdict = .trapped
        } else if case .stageNeverReturned(stage.name, _) = error {
            verdict = .neverReturned
        } else {
            return nil
        }
        return StageTrial(
            stage: stage.name, placement: stage.placement, verdict: verdict, found: error.description, advice: [],
            change: nil, cost: nil, marks: MarkTimes())
    }

    // MARK: Advice

    /// Tries what would help the stages that take a notable part of the budget and that the wearer waits for.
    private mutating func advise() throws(TapLatencyError) {
        var few = conditions
        few.taps = min(few.taps, 12)
        let notable = Double(budget.limit.count) / 20
        let candidates = trials.indices.filter { index in
            trials[index].placement == .immediate && (trials[index].cost?.mean.total ?? 0) >= notable
        }
        guard !candidates.isEmpty else { return }
        let present = try Measurement.effects(of: stages, under: few)
        for index in candidates {
            guard let place = place(of: trials[index]) else { continue }
            trials[index].advice = try advice(for: place, trials[index], present, few)
        }
    }

    private func place(of trial: StageTrial) -> Int? {
        stages.firstIndex { $0.runs && $0.name == trial.stage && $0.placement == trial.placement }
    }

    private func advice(
        for place: Int, _ trial: StageTrial, _ present: TapEffects, _ few: Conditions
    ) throws(TapLatencyError) -> [Advice] {
        var without = stages
        without[place] = stages[place].off
        let absent = try Measurement.effects(of: without, under: few)
        if absent == present { return [.drop] }
        var advice: [Advice] = []
        var later = stages
        later[place].placement = .deferred
        if try Measurement.effects(of: later, under: few) == present { advice.append(.defer) }
        let waits = (trial.cost?.mean.radio ?? 0) + (trial.cost?.mean.phone ?? 0)
        // A stage that sends the check-off waits for no answer that could be kept.
        if waits > (trial.cost?.mean.total ?? 0) / 2, absent.checkOffs == present.checkOffs {
            var deaf = few
            deaf.loss = 1
            let unanswered = try Measurement.effects(of: stages, under: deaf)
            if unanswered.agreement(with: present) > 0.5 { advice.append(.cache) }
        }
        return advice
    }
}
