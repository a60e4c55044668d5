import HostSystem
import Watch
import WatchLink

struct StepEvidence {
    var report: TapReport
    var before: TapReport?
    /// The stage that this step fixes or improves, as the previous step measured it. Nil if there is no such stage.
    var earlierStage: StageReport?
    var effects: (now: TapEffects, before: TapEffects)?
    var proof: CutProof?
    /// The median time from touch to update that the table of counts predicts, in microseconds. Nil unless the step compares
    /// this time with a time measured in the emulator.
    var predicted: UInt64?
    var budget: Budget
}

extension StepEvidence {
    var updated: UInt64? { report.marks.updated?.p50 }
    var updatedBefore: UInt64? { before?.marks.updated?.p50 }
    /// The change of the median time from touch to update since the previous step, in microseconds.
    var change: Int64? {
        guard let updated, let updatedBefore else { return nil }
        return Int64(clamping: updated) - Int64(clamping: updatedBefore)
    }

    var figures: String {
        let allowed = report.bounds?.medians(of: .updated)
        let isOpen = allowed.map { $0.lowerBound < $0.upperBound } ?? false
        let here = "tap-to-update \(Figure.time(updated))" + (isOpen ? " [\(Figure.between(allowed))]" : "")
        return before == nil ? here : "\(here) (\(Figure.change(change)))"
    }

    var wasKept: Bool { before?.keeps(budget) ?? true }

    func keepsBudget(_ stage: StageReport?) -> Bool { stage.map { $0.time.p99 <= budget.limit.count } ?? true }

    /// Returns the median of `time` if the median is over the budget, otherwise the 99th percentile.
    func excess(_ time: Distribution) -> String {
        time.p50 > budget.limit.count ? Figure.time(time.p50) : "\(Figure.time(time.p99)) (p99)"
    }

    func timeoutNote(of stage: String) -> String {
        guard let longest = self.stage(stage)?.time.max, longest >= WatchLimits.phoneTimeout.count else { return "" }
        return ", and gives up waiting after \(Figure.time(WatchLimits.phoneTimeout.count))"
    }

    func comparison(of name: String) -> (isFaster: Bool, sentence: String) {
        guard let now = stage(name), let was = earlierStage?.time.p50 else { return (false, figures) }
        let times = "\(Figure.time(now.time.p50)) instead of \(Figure.time(was))"
        return (now.time.p50 < was, "\(figures): '\(name)' takes \(times)\(now.instructionCount.remark)")
    }

    func stage(_ name: String) -> StageReport? { report.stages.first { $0.name == name } }
}

extension LabStep {
    func conclude(_ evidence: StepEvidence) -> (found: String, verdict: Verdict) {
        switch expectation {
        case .reference:
            ("\(evidence.figures), handler \(Figure.time(evidence.report.marks.handled?.p50))", .reference)
        case .free: concludeFree(evidence)
        case .unnoticed: concludeUnnoticed(evidence)
        case .slow(let name): concludeSlow(name, evidence)
        case .explained(let kinds): concludeExplained(kinds, evidence)
        case .fixed(let name):
            concludeFaster(name, evidence, .fixed, if: evidence.keepsBudget(evidence.stage(name)))
        case .improved(let name): concludeFaster(name, evidence, .improved, if: true)
        case .unneeded(let name): concludeUnneeded(name, evidence)
        case .asynchronous(let name): concludeAsynchronous(name, evidence)
        case .lossless: concludeLossless(evidence)
        case .predicted: concludePredicted(evidence)
        }
    }

    private func concludeFree(_ evidence: StepEvidence) -> (String, Verdict) {
        guard let before = evidence.updatedBefore, let change = evidence.change else {
            return (evidence.figures, .refuted)
        }
        let isFree = Double(change.magnitude) <= Double(before) * 0.01
        return (evidence.figures + (isFree ? ": nothing" : ": more than 1 %"), isFree ? .kept : .refuted)
    }

    private func concludeUnnoticed(_ evidence: StepEvidence) -> (String, Verdict) {
        let isKept = evidence.report.keeps(evidence.budget)
        let allowed = Figure.time(evidence.budget.limit.count)
        guard isKept || evidence.wasKept else {
            return ("\(evidence.figures), over \(allowed), as the step before was", .kept)
        }
        return ("\(evidence.figures), \(isKept ? "within" : "over") \(allowed)", isKept ? .kept : .slow)
    }

    private func concludeSlow(_ name: String, _ evidence: StepEvidence) -> (String, Verdict) {
        let stage = evidence.stage(name)
        let remark = stage?.instructionCount.remark ?? ""
        let allowed = Figure.time(evidence.budget.limit.count)
        if evidence.report.keeps(evidence.budget) {
            let took = Figure.time(stage?.time.p50) + remark
            return ("\(evidence.figures), still within \(allowed): the stage takes \(took)", .refuted)
        }
        let took = stage.map { evidence.excess($0.time) + remark } ?? "nothing"
        let worst = Figure.time(evidence.report.marks.updated?.p99)
        let found = "\(evidence.figures), p99 \(worst), over \(allowed): the stage takes \(took)"
        // If the previous step was already over the budget, a stage that alone is within the budget is not the cause.
        let isToBlame = evidence.wasKept || !evidence.keepsBudget(stage)
        return (found + evidence.timeoutNote(of: name), isToBlame ? .slow : .refuted)
    }

    private func concludeExplained(_ kinds: Set<TimeKind>, _ evidence: StepEvidence) -> (String, Verdict) {
        guard case .attribute(let name) = kind, let stage = evidence.stage(name), stage.mean.total > 0 else {
            return ("no time was spent in it", .refuted)
        }
        let parts = stage.mean.kinds(from: 0.005)
            .map { "\($0.title) \(Figure.percent(stage.mean[$0] / stage.mean.total))" }
        let share = evidence.updated.map { $0 == 0 ? 0 : Double(stage.time.p50) / Double($0) } ?? 0
        var found = "\(Figure.percent(share)) of tap-to-update is '\(name)': \(parts.joined(separator: ", "))"
        found += stage.instructionCount.remark
        if stage.mean[.radio] + stage.mean[.window] > 0 {
            found += "; \(Figure.amount(evidence.report.bytesOnAir)) bytes over the radio link for each tap"
        }
        let explained = kinds.reduce(0) { $0 + stage.mean[$1] } / stage.mean.total
        return (found + evidence.timeoutNote(of: name), explained > 0.5 ? .attributed : .refuted)
    }

    private func concludeFaster(
        _ name: String, _ evidence: StepEvidence, _ verdict: Verdict, if holds: Bool
    ) -> (String, Verdict) {
        let (isFaster, sentence) = evidence.comparison(of: name)
        return (sentence, isFaster && holds ? verdict : .refuted)
    }

    private func concludeUnneeded(_ name: String, _ evidence: StepEvidence) -> (String, Verdict) {
        guard let effects = evidence.effects else { return (evidence.figures, .refuted) }
        if effects.now == effects.before {
            return (
                "\(evidence.figures): the watch shows, stores and sends the same without '\(name)'", .removed
            )
        }
        return ("\(evidence.figures): without '\(name)' the watch shows, stores or sends something else", .refuted)
    }

    private func concludeAsynchronous(_ name: String, _ evidence: StepEvidence) -> (String, Verdict) {
        guard let stage = evidence.stage(name), stage.placement == .deferred, let change = evidence.change else {
            return (evidence.figures, .refuted)
        }
        let known = Figure.time(evidence.report.marks.acknowledged?.p50)
        let later =
            name == PhoneMessage.name.description
            ? "the phone answers \(known) after the touch" : "'\(name)' takes \(Figure.time(stage.time.p50))"
        // A change of up to 1 % is not attributed to the stage.
        let isSlower = Double(change) > Double(evidence.updatedBefore ?? 0) * 0.01
        return (
            "\(evidence.figures); \(later), and the wearer does not wait for it",
            isSlower ? .refuted : .madeAsynchronous
        )
    }

    private func concludeLossless(_ evidence: StepEvidence) -> (String, Verdict) {
        guard let proof = evidence.proof else { return ("nothing was tried", .refuted) }
        let sentence =
            "\(CountText(proof.taps, "tap")), the link or the power cut after each: \(proof.lost) lost, \(proof.repeated) repeated"
        return (sentence, proof.holds ? .proven : .refuted)
    }

    /// How far the predicted time may be from the executed time, as a fraction of the executed time.
    private static let tolerance = 0.05

    private func concludePredicted(_ evidence: StepEvidence) -> (String, Verdict) {
        guard let predicted = evidence.predicted else {
            return ("\(evidence.figures): predicted from the table, not executed", .predicted)
        }
        guard let executed = evidence.updated, executed > 0 else { return (evidence.figures, .refuted) }
        let difference = Double(predicted) / Double(executed) - 1
        let amount = "\(Figure.amount(abs(difference) * 100)) % \(difference < 0 ? "less" : "more")"
        return (
            "\(evidence.figures), executed; the table of counts predicts \(Figure.time(predicted)), "
                + (difference == 0 ? "as much" : amount),
            abs(difference) <= LabStep.tolerance ? .confirmed : .refuted
        )
    }
}
