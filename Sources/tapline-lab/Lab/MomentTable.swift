import CommandSupport
import TapLatency

/// Launch, arrival and raised wrist beside the panel's own time, as a text.
struct MomentTable {
    let report: MomentReport
    let width: Int
    let ink: TerminalInk

    var lines: [String] {
        let title =
            "launch, arrival and raised wrist on \(report.profile), "
            + "\(FigureText(count: report.items, "item").plain), seed: \(report.seed)"
        let head = row("ms", ["times", "p50", "p99", "panel", "p99/panel"])
        let note =
            "panel: the changed lines alone take this. p99/panel: each time over its own panel time, the 99th percentile."
        return title.wrapped(to: width) + report.processor.words.wrapped(to: width).map(ink.faint) + [
            "", ink.faint(head),
        ]
            + report.moments.map(row) + [""] + note.wrapped(to: width)
    }

    private func row(_ figures: MomentFigures) -> String {
        row(
            figures.moment.rawValue,
            [
                "\(figures.count)", milliseconds(figures.p50), milliseconds(figures.p99), milliseconds(figures.floor),
                FigureText(amount: figures.ratio, smallest: 2).plain,
            ])
    }

    private func row(_ name: String, _ columns: [String]) -> String {
        name.padded(to: 20) + columns.map { $0.aligned(to: 10) }.joined()
    }

    private func milliseconds(_ time: UInt64) -> String {
        FigureText(amount: Double(time) / 1_000, smallest: 1).plain
    }
}
