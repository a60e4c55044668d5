import HostSystem
import TapLatency

extension ReportComparison {
    /// A row for each figure that has changed, and what it comes to; the last line is the finding.
    var text: ReportText {
        let measured = new.handlers.first?.measured
        let conditions = measured.map {
            "\($0.profile), "
                + ReportText.conditions(items: $0.items, database: $0.database, taps: $0.taps, seed: $0.seed)
        }
        return ReportText([
            [.words("\(old.name) -> \(new.name): \(conditions ?? "")")]
                + (measured.map { [.words($0.processor.words, .faint)] } ?? []),
            changed.isEmpty ? [] : [table],
            [.line(kept)] + incomplete + [.line(finding, .bold)],
        ])
    }

    private var table: ReportText.Block {
        var rows: [ReportText.Row] = []
        var handler: String?
        for figure in changed {
            if figure.handler != handler { rows.append(.heading(figure.handler, .plain)) }
            handler = figure.handler
            let times = figure.times
            rows.append(
                .cells([
                    .init("  \(figure.subject.words)"), .init(figure.percentile.rawValue), .init(times.old),
                    .init(times.new), .init(figure.change.map(Figure.difference) ?? ""),
                    .init(figure.verdict.rawValue, figure.verdict.paint),
                ]))
        }
        return .table([.left(""), .left(""), .right("old"), .right("new"), .right("change"), .left("")], rows)
    }

    private var all: String { CountText(figures.count, "figure").description }

    /// How many figures are kept, and of the others those that no finding is about.
    private var kept: String {
        let same = figures.count - changed.count
        let kept = count(.kept)
        var text = "\(Figure.count(kept)) of \(all) \(kept == 1 ? "is" : "are") kept"
        if kept > same { text += ", \(same) to the microsecond" }
        for verdict in [ComparedFigure.Verdict.faster, .new] where count(verdict) > 0 {
            text += ", \(count(verdict)) \(count(verdict) == 1 ? "is" : "are") \(verdict.rawValue)"
        }
        return text
    }

    /// What the times of both reports lack.
    private var incomplete: [ReportText.Block] {
        let count = figures.count { $0.completeness == .notCounted }
        if count == 0 { return [] }
        return [
            .line("\(CountText(count, "figure")) without what some stages execute, which nobody has counted", .faint)
        ]
    }

    /// The line that a pull request shows: how many figures are slower or lost, and the worst of each.
    private var finding: String {
        let lost = regressions.filter { $0.verdict != .slower }
        let slower = regressions.filter { $0.verdict == .slower }
        func count(_ figures: [ComparedFigure]) -> String {
            "\(figures.count) of \(all) \(figures.count == 1 ? "is" : "are")"
        }
        var parts: [String] = []
        if let worst = slower.first {
            let share = worst.change.map { $0.isFinite ? " (\(Figure.difference($0)))" : "" } ?? ""
            parts.append(
                "\(count(slower)) slower by more than \(tolerance.words): \(worst.title) \(worst.times.old) -> "
                    + "\(worst.times.new)\(share)")
        }
        if let first = lost.first {
            let more = lost.count == 1 ? "" : ", and \(lost.count - 1) more"
            let words = first.verdict == .fewerTaps ? "reached by fewer taps" : first.verdict.rawValue
            parts.append("\(count(lost)) lost: \(first.title) is \(words)\(more)")
        }
        if !parts.isEmpty { return parts.joined(separator: "; ") }
        return "0 of \(all) are slower by more than \(tolerance.words)"
    }
}

extension ComparedFigure {
    /// The figure in a sentence: "updated p99 of shipping".
    fileprivate var title: String { "\(subject.words) \(percentile.rawValue) of \(handler)" }

    /// Both times in the unit that suits them; in whole microseconds if a change would not show otherwise.
    fileprivate var times: (old: String, new: String) {
        func whole(_ time: UInt64) -> String { "\(Figure.count(Int(clamping: time))) µs" }
        if let oldTime, let newTime, oldTime != newTime, Figure.time(oldTime) == Figure.time(newTime) {
            return (whole(oldTime), whole(newTime))
        }
        return (oldTime.map { Figure.time($0) } ?? old.words, newTime.map { Figure.time($0) } ?? new.words)
    }
}

extension ComparedFigure.Subject {
    /// A stage is called one: it may have the name of a mark.
    fileprivate var words: String {
        switch self {
        case .mark: name
        case .stage: "stage \(name)"
        }
    }
}

extension ComparedFigure.Reading {
    /// What stands in place of a time that is not there.
    fileprivate var words: String {
        switch self {
        case .incomplete: "not known"
        case .time, .missing, .notMeasured: Figure.none
        }
    }
}

extension ComparedFigure.Verdict {
    fileprivate var paint: ReportText.Paint {
        switch self {
        case .kept: .plain
        case .faster: .good
        case .new: .open
        case .slower, .fewerTaps, .notKnown, .gone: .bad
        }
    }
}
