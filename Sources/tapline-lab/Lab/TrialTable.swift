import CommandSupport
import TapLatency

/// A handler that was taken apart, as a text: each stage, with what it costs and what to try.
struct TrialTable {
    let trial: HandlerTrial
    let budget: Budget
    let width: Int
    let ink: TerminalInk

    var lines: [String] {
        let whole = trial.whole
        let title =
            "\(whole.handler) on \(whole.profile): \(FigureText(count: whole.items, "item").plain) on the watch, "
            + "\(FigureText(count: whole.database).plain) on the phone, taps of each measurement: "
            + "\(FigureText(count: whole.taps).plain), seed: \(whole.seed)"
        let processor = whole.processor.words.wrapped(to: width).map(ink.faint)
        let head =
            "stage".padded(to: 26) + "placed".padded(to: 11) + "tap to update".aligned(to: 14)
            + "change".aligned(to: 10)
            + "  verdict"
        let off = "(everything off)".padded(to: 37) + time(trial.off).aligned(to: 14)
        return title.wrapped(to: width) + processor + ["", ink.faint(head), off] + trial.stages.flatMap(rows) + [
            composed
        ]
            + StageCode(report: whole, width: width, ink: ink).lines + [""] + verdict
    }

    /// The handler as its source composes it, which may compute around its stages.
    private var composed: String {
        let change = trial.around.map { $0 == 0 ? "=" : FigureText(change: $0).plain } ?? "–"
        return "(as its source has it)".padded(to: 37) + time(trial.whole).aligned(to: 14) + change.aligned(to: 10)
            + "  "
            + trial.verdict.rawValue
    }

    private func rows(_ stage: StageTrial) -> [String] {
        let change = stage.change.map { $0 == 0 ? "=" : FigureText(change: $0).plain } ?? ""
        let row =
            stage.stage.padded(to: 26) + stage.placement.word.padded(to: 11)
            + FigureText(time: stage.marks.updated?.p50).plain.aligned(to: 14) + change.aligned(to: 10) + "  "
            + stage.verdict.rawValue
        let advice = stage.advice.isEmpty ? [] : ["try: " + stage.advice.map(\.words).joined(separator: ", or ")]
        return [row] + ([stage.found] + advice).flatMap { $0.wrapped(to: width - 4) }.map { ink.faint("    " + $0) }
    }

    private var verdict: [String] {
        let limit = FigureText(time: budget.limit.count).plain
        let took = FigureText(time: trial.whole.marks[budget.mark]?.p99).plain
        let culprit = trial.culprit.map { ": '\($0)' takes most of it" } ?? ""
        let judged = trial.verdict == .kept ? "within" : "over"
        return "\(budget.mark.rawValue) after \(took) (p99), \(judged) the budget of \(limit)\(culprit)"
            .wrapped(to: width).map(ink.bold)
    }

    private func time(_ report: TapReport) -> String { FigureText(time: report.marks.updated?.p50).plain }
}

extension Advice {
    /// What to do, in a few words.
    fileprivate var words: String {
        switch self {
        case .defer: "run it after the panel is updated (Deferred)"
        case .drop: "do without it"
        case .cache: "keep the phone's answer instead of asking again"
        }
    }
}
