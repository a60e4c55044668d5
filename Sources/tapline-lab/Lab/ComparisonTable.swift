import CommandSupport
import HostSystem
import TapLatency

/// Two reports of the lab as a text: a row for each figure that has changed, and what it comes to.
struct ComparisonTable {
    let comparison: ReportComparison
    let width: Int
    let ink: TerminalInk

    /// The table and below it the counts; the last line is the finding.
    var lines: [String] {
        let title = "\(PlainLine(comparison.old.name)) -> \(PlainLine(comparison.new.name)): \(conditions)"
        let rows = comparison.changed.isEmpty ? [] : [ink.faint(head)] + handlers + [""]
        return title.wrapped(to: width) + processor + [""] + rows + [kept] + incomplete + [ink.bold(finding)]
    }

    /// The conditions are the same in both reports.
    private var conditions: String {
        guard let report = comparison.new.handlers.first else { return "" }
        return "\(PlainLine(report.profile)), \(FigureText(count: report.items, "item").plain) on the watch, "
            + "\(FigureText(count: report.database).plain) on the phone, taps: \(FigureText(count: report.taps).plain), "
            + "seed: \(report.seed)"
    }

    private var processor: [String] {
        guard let report = comparison.new.handlers.first else { return [] }
        return report.processor.words.wrapped(to: width).map(ink.faint)
    }

    // MARK: Rows

    private static let timeWidth = 12
    /// The percentile, the verdict and the spaces before it.
    private static let otherWidth = 17

    private var nameWidth: Int { max(20, min(40, width - 3 * ComparisonTable.timeWidth - ComparisonTable.otherWidth)) }

    private var head: String {
        "".padded(to: nameWidth + 5)
            + ["old", "new", "change"].map { $0.aligned(to: ComparisonTable.timeWidth) }.joined()
    }

    private var handlers: [String] {
        var lines: [String] = []
        var handler: String?
        for figure in comparison.changed {
            if figure.handler != handler { lines.append("\(PlainLine(figure.handler))") }
            handler = figure.handler
            lines.append(row(figure))
        }
        return lines
    }

    private func row(_ figure: ComparedFigure) -> String {
        let times = figure.times
        let change = figure.change.map { FigureText(difference: $0).plain } ?? ""
        return "  \(figure.subject.words)".padded(to: nameWidth) + " " + figure.percentile.rawValue.padded(to: 4)
            + [times.old, times.new, change].map { $0.aligned(to: ComparisonTable.timeWidth) }.joined() + "  "
            + ink.verdict(figure.verdict)
    }

    // MARK: What it comes to

    private var all: Int { comparison.figures.count }

    /// How many figures are kept, and of the others those that no finding is about.
    private var kept: String {
        let same = all - comparison.changed.count
        let kept = comparison.count(.kept)
        var text = "\(FigureText(count: kept).plain) of \(CountText(all, "figure")) \(kept == 1 ? "is" : "are") kept"
        if kept > same { text += ", \(same) to the microsecond" }
        for verdict in [FigureVerdict.faster, .new] where comparison.count(verdict) > 0 {
            text +=
                ", \(comparison.count(verdict)) \(comparison.count(verdict) == 1 ? "is" : "are") \(verdict.rawValue)"
        }
        return text
    }

    /// What the times of both reports lack.
    private var incomplete: [String] {
        let count = comparison.figures.count { $0.completeness == .notCounted }
        if count == 0 { return [] }
        return [ink.faint("\(CountText(count, "figure")) without what some stages execute, which nobody has counted")]
    }

    /// The line that a pull request shows: how many figures are slower or lost, and the worst of each.
    private var finding: String {
        let lost = comparison.regressions.filter { $0.verdict != .slower }
        let slower = comparison.regressions.filter { $0.verdict == .slower }
        var parts: [String] = []
        if let worst = slower.first {
            let share = worst.change.map { $0.isFinite ? " (\(FigureText(difference: $0).plain))" : "" } ?? ""
            parts.append(
                "\(count(slower)) slower by more than \(comparison.tolerance.words): \(worst.title) "
                    + "\(worst.times.old) -> \(worst.times.new)\(share)")
        }
        if let first = lost.first {
            let more = lost.count == 1 ? "" : ", and \(lost.count - 1) more"
            parts.append("\(count(lost)) lost: \(first.title) is \(first.verdict.words)\(more)")
        }
        if !parts.isEmpty { return parts.joined(separator: "; ") }
        return "0 of \(CountText(all, "figure")) are slower by more than \(comparison.tolerance.words)"
    }

    private func count(_ figures: [ComparedFigure]) -> String {
        "\(figures.count) of \(CountText(all, "figure")) \(figures.count == 1 ? "is" : "are")"
    }
}

extension ComparedFigure {
    /// The figure in a sentence: "updated p99 of shipping".
    fileprivate var title: String { "\(subject.words) \(percentile.rawValue) of \(PlainLine(handler))" }

    /// Both times in the unit that suits them; in whole microseconds where a change would not show otherwise.
    fileprivate var times: (old: String, new: String) {
        func short(_ time: UInt64) -> String { FigureText(time: time).plain }
        func whole(_ time: UInt64) -> String { "\(FigureText(count: Int(clamping: time)).plain) µs" }
        if let oldTime, let newTime, oldTime != newTime, short(oldTime) == short(newTime) {
            return (whole(oldTime), whole(newTime))
        }
        return (oldTime.map(short) ?? old.words, newTime.map(short) ?? new.words)
    }
}

extension ComparedFigure.Subject {
    /// A stage is called one: it may have the name of a mark.
    fileprivate var words: String {
        switch self {
        case .mark: name
        case .stage: "stage \(PlainLine(name))"
        }
    }
}

extension ComparedFigure.Reading {
    /// What stands where there is no time to show.
    fileprivate var words: String {
        switch self {
        case .incomplete: "not known"
        case .time, .missing, .notMeasured: FigureText.none.plain
        }
    }
}

extension FigureVerdict {
    /// The verdict behind "is".
    fileprivate var words: String {
        switch self {
        case .fewerTaps: "reached by fewer taps"
        case .kept, .slower, .faster, .notKnown, .gone, .new: rawValue
        }
    }
}
